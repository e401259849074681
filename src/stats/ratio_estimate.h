// How much slower one side is than the other, from groups of interleaved runs (docs/clock.md). The estimate is the
// exponential of the mean of d_g = log(mean of A in group g / mean of B in group g), the interval Student's t over the
// groups. A group has a placement in memory of its own, so the groups vary as a repeated experiment would; means, not
// medians, because times of short kernels lie on a lattice.
#pragma once
#include <vector>

namespace kbx::stats {

struct GroupSums {
  double a = 0, b = 0;  // sums over the kept pairs of a group
};
struct RatioEstimate {
  double ratio = 0, low = 0, high = 0;  // A / B
  double half_width = 0;                // of the interval, on the logarithm
  int groups = 0;                       // that had a kept pair
};

// Groups whose sums are not positive are left out. With fewer than two groups half_width is infinite; with none the
// ratio is 0.
RatioEstimate ratio_estimate(const std::vector<GroupSums>& groups, double coverage = 0.95);

struct MeanEstimate {
  double mean = 0, low = 0, high = 0;
  double half_width = 0;  // relative
  int groups = 0;
};
// The same for the mean of one side: of group means, t interval on the mean.
MeanEstimate mean_estimate(const std::vector<double>& group_means, double coverage = 0.95);

}  // namespace kbx::stats
