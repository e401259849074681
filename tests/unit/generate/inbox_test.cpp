// Inbox: what the threads around the scheduler may rely on.
#include "generate/inbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace kbx::generate {
namespace {

// Under the address or thread sanitizer (tools/sanitize) a put() that touches an inbox after its arrival was taken is seen.
TEST(Inbox, MayGoAsSoonAsTheLastArrivalIsTaken) {
  constexpr int kTimes = 3000;
  std::atomic<Inbox*> shown = nullptr;
  std::thread bringer([&] {
    for (int k = 0; k < kTimes; k++) {
      Inbox* inbox = nullptr;
      while ((inbox = shown.exchange(nullptr)) == nullptr) std::this_thread::yield();
      inbox->put(ArrivedEvaluation{});
    }
  });
  for (int k = 0; k < kTimes; k++) {
    auto inbox = std::make_unique<Inbox>();
    shown = inbox.get();
    while (inbox->take(std::chrono::milliseconds(0)).empty()) std::this_thread::yield();
  }
  bringer.join();
}

TEST(Inbox, GivesEverythingInOrderAndWaitsNoLongerThanItMust) {
  Inbox inbox;
  EXPECT_TRUE(inbox.take(std::chrono::milliseconds(1)).empty());
  for (int k = 0; k < 3; k++) {
    llm::Exchange e;
    e.status = k;
    inbox.put(std::move(e));
  }
  auto all = inbox.take(std::chrono::hours(1));
  ASSERT_EQ(all.size(), 3u);
  for (int k = 0; k < 3; k++) EXPECT_EQ(std::get<llm::Exchange>(all[size_t(k)]).status, k);
}

}  // namespace
}  // namespace kbx::generate
