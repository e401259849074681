// fast_p: the share of all tasks whose candidate is right and more than p times as fast as the reference (Ouyang et al.,
// KernelBench, arXiv 2502.10517, section 3.3). Wrong candidates stay in the denominator, so fast_0 is the share correct.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/interval.h"

namespace kbx::stats {

struct FastPoint {
  double p = 0;
  int64_t faster = 0;    // candidates with speedup > p
  Estimate share;        // of all; Wilson interval
};

// Speedups of the correct candidates, `all` candidates with the wrong ones (>= speedups.size()); thresholds in any
// order, kept. Empty when all = 0.
std::vector<FastPoint> fast_p_curve(std::span<const double> speedups, int64_t all, std::span<const double> thresholds);

}  // namespace kbx::stats
