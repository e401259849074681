#include "stats/fast_p.h"

#include <algorithm>

#include "base/check.h"
#include "stats/proportion.h"

namespace kbx::stats {

std::vector<FastPoint> fast_p_curve(std::span<const double> speedups, int64_t all, std::span<const double> thresholds) {
  KBX_CHECK(all >= int64_t(speedups.size()));
  std::vector<FastPoint> curve;
  if (all == 0) return curve;
  for (double p : thresholds) {
    int64_t faster = std::count_if(speedups.begin(), speedups.end(), [&](double s) { return s > p; });
    curve.push_back({p, faster, {double(faster) / double(all), *wilson_interval(faster, all)}});
  }
  return curve;
}

}  // namespace kbx::stats
