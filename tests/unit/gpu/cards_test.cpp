// Slots and leases: two candidates near a card, one at work on it, every card used.
#include "gpu/cards.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "scripted_clock.h"

namespace kbx::gpu {
namespace {

using testing::ScriptedClock;
using namespace std::chrono_literals;

constexpr const char* kEcho = "hello(2)\nwhile True:\n    command, blob = receive()\n    send({\"ok\": True, \"pid\": os.getpid()})\n";

TEST(Cards, AllCardsOfTheMachineAreOpenedUnlessSomeAreNamed) {
  ScriptedClock clock(kEcho);
  auto all = Cards::open(clock.home(), {});
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ((*all)->list().size(), 2u);
  auto one = Cards::open(clock.home(), {1});
  ASSERT_TRUE(one);
  ASSERT_EQ((*one)->list().size(), 1u);
  EXPECT_EQ((*one)->list()[0].index, 1);
}

TEST(Cards, GuestsAreSpreadOverTheCardsTwoOnEach) {
  ScriptedClock clock(kEcho);
  auto cards = Cards::open(clock.home(), {});
  ASSERT_TRUE(cards);
  std::vector<Cards::Slot> slots;
  std::map<int, int> guests;
  for (int k = 0; k < 4; k++) {
    slots.push_back((*cards)->enter());
    guests[slots.back().card().index]++;
    if (k == 1) EXPECT_EQ(guests.size(), 2u);
  }
  EXPECT_THAT(guests, ::testing::ElementsAre(::testing::Pair(0, 2), ::testing::Pair(1, 2)));
  std::atomic<bool> inside{false};
  std::jthread fifth([&] {
    auto slot = (*cards)->enter();
    inside = true;
  });
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(inside);
  slots.pop_back();
  fifth.join();
  EXPECT_TRUE(inside);
}

TEST(Cards, ALeaseIsExclusiveAndGivenBackWithItsSlot) {
  ScriptedClock clock(kEcho);
  auto cards = Cards::open(clock.home(), {0});
  ASSERT_TRUE(cards);
  std::atomic<int> inside{0}, most{0}, turns{0};
  auto work = [&] {
    for (int k = 0; k < 20; k++) {
      auto slot = (*cards)->enter();
      slot.lease();
      most = std::max(most.load(), ++inside);
      std::this_thread::sleep_for(1ms);
      --inside;
      turns++;
      if (k % 2) slot.release();
    }
  };
  {
    std::jthread a(work), b(work), c(work);
  }
  EXPECT_EQ(turns, 60);
  EXPECT_EQ(most, 1);
}

TEST(Cards, EveryLeaseGetsAClockOfItsOwnThatIsReady) {
  ScriptedClock clock(kEcho);
  auto cards = Cards::open(clock.home(), {0});
  ASSERT_TRUE(cards);
  std::vector<int64_t> pids;
  for (int k = 0; k < 3; k++) {
    auto slot = (*cards)->enter();
    slot.lease();
    auto process = slot.clock();
    ASSERT_TRUE(process) << process.error().text();
    auto answer = (*process)->ask({{"do", "memory"}});
    ASSERT_TRUE(answer);
    pids.push_back(*get_int(answer->head, "pid"));
  }
  EXPECT_NE(pids[0], pids[1]);
  EXPECT_NE(pids[1], pids[2]);
}

TEST(Cards, ACardThatCannotBeUsedIsSaid) {
  ScriptedClock clock("send({\"fatal\": {\"message\": \"no CUDA driver\", \"hint\": \"\"}})\n");
  auto cards = Cards::open(clock.home(), {});
  ASSERT_FALSE(cards);
  EXPECT_THAT(cards.error().message, ::testing::HasSubstr("no CUDA driver"));
}

}  // namespace
}  // namespace kbx::gpu
