// Interval: what an estimate could as well have been. Estimate: a figure that never stands without one.
#pragma once

namespace kbx::stats {

struct Interval {
  double low = 0, high = 0;

  bool holds(double value) const { return low <= value && value <= high; }
};

struct Estimate {
  double value = 0;
  Interval interval;
};

}  // namespace kbx::stats
