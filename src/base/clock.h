// Monotonic time for deadlines and durations; wall time for records only.
#pragma once
#include <chrono>
#include <string>

namespace kbx {

using Steady = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

inline double seconds_since(Steady::time_point start) { return Seconds(Steady::now() - start).count(); }
// UTC, "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace kbx
