// parallel_for: splits [0, count) into one run of indices a thread. For pure work whose parts do not meet.
#pragma once
#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace kbx::suite {

// body(begin, end); at least `grain` indices a thread.
template <class Body>
void parallel_for(uint64_t count, uint64_t grain, const Body& body) {
  uint64_t threads =
      std::min<uint64_t>(std::max(1u, std::thread::hardware_concurrency()), count / std::max<uint64_t>(1, grain));
  if (threads <= 1) return body(uint64_t(0), count);
  std::vector<std::jthread> pool;
  for (uint64_t t = 0; t < threads; t++)
    pool.emplace_back([&body, begin = count * t / threads, end = count * (t + 1) / threads] { body(begin, end); });
}

}  // namespace kbx::suite
