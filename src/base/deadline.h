// Points in time until which something is waited for.
#pragma once
#include "base/clock.h"

namespace kbx {

inline Steady::time_point after(double seconds) { return Steady::now() + std::chrono::microseconds(int64_t(seconds * 1e6)); }

}  // namespace kbx
