// Inbox: what other threads bring to the scheduler's.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <variant>

#include "generate/evaluator.h"
#include "llm/client.h"

namespace kbx::generate {

struct ArrivedEvaluation {
  Judging what;
  Judged judged;
};
using Arrival = std::variant<llm::Exchange, ArrivedEvaluation>;

class Inbox {
 public:
  // Told under the lock: who takes the last arrival may end, and the inbox with it, before this returns.
  void put(Arrival arrival) {
    std::lock_guard lock(mutex_);
    items_.push_back(std::move(arrival));
    filled_.notify_one();
  }
  // Everything that is there; waits a while when nothing is.
  std::deque<Arrival> take(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    filled_.wait_for(lock, wait, [&] { return !items_.empty(); });
    return std::exchange(items_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Arrival> items_;
};

}  // namespace kbx::generate
