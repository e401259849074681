// BoundedQueue: between the thread that loads candidates and those that judge them, so that ten thousand candidates
// never lie in memory together.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace kbx::eval {

template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) {}

  // Waits for room; false when the queue was cancelled.
  bool push(T item) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return items_.size() < capacity_ || cancelled_; });
    if (cancelled_) return false;
    items_.push_back(std::move(item));
    filled_.notify_one();
    return true;
  }
  // No more items will come.
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
  }
  // Drops what is queued and wakes everyone.
  void cancel() {
    std::lock_guard lock(mutex_);
    cancelled_ = closed_ = true;
    items_.clear();
    filled_.notify_all();
    room_.notify_all();
  }
  // Waits for an item; nullopt when closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    T item = std::move(items_.front());
    items_.pop_front();
    room_.notify_one();
    return item;
  }

 private:
  size_t capacity_;
  std::mutex mutex_;
  std::condition_variable room_, filled_;
  std::deque<T> items_;
  bool closed_ = false, cancelled_ = false;
};

}  // namespace kbx::eval
