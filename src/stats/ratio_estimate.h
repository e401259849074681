// How much slower one side is than the other, from groups of interleaved runs (docs/clock.md). The estimate is the
// exponential of the mean of d_g = log(mean of A in group g / mean of B in group g), the interval Student's t over the
// groups. A group has a placement in memory of its own, so the groups vary as a repeated experiment would; means, not
// medians, because times of short kernels lie on a lattice.
// Who measures until the interval is narrow stops where the spread happens to look small. So the spread is that of the
// first groups alone, whose number was fixed before, and only the mean is of all: a half width of t(first - 1) s_first /
// sqrt(all) holds the truth as often as it says (Stein 1945, "A two-sample test for a linear hypothesis whose power is
// independent of the variance", Annals of Mathematical Statistics 16, section 3).
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
// `first`: how many groups tell the spread; 0 = all, which is right where their number does not hang on the times.
RatioEstimate ratio_estimate(const std::vector<GroupSums>& groups, int first = 0, double coverage = 0.95);

struct MeanEstimate {
  double mean = 0, low = 0, high = 0;
  double half_width = 0;  // relative
  int groups = 0;
};
// The same for the mean of one side: of group means, t interval on the mean.
MeanEstimate mean_estimate(const std::vector<double>& group_means, int first = 0, double coverage = 0.95);

}  // namespace kbx::stats
