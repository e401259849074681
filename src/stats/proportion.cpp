#include "stats/proportion.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "stats/special.h"

namespace kbx::stats {

std::optional<Interval> wilson_interval(int64_t s, int64_t n, double coverage) {
  KBX_CHECK(s >= 0 && s <= n && coverage > 0 && coverage < 1);
  if (n == 0) return std::nullopt;
  double z = normal_quantile((1 + coverage) / 2), count = double(n), p = double(s) / count;
  double middle = (p + z * z / (2 * count)) / (1 + z * z / count);
  double half = z / (1 + z * z / count) * std::sqrt(p * (1 - p) / count + z * z / (4 * count * count));
  // The ends are exact where rounding would leave a crumb.
  return Interval{s == 0 ? 0 : std::max(middle - half, 0.0), s == n ? 1 : std::min(middle + half, 1.0)};
}

std::optional<Interval> clopper_pearson_interval(int64_t s, int64_t n, double coverage) {
  KBX_CHECK(s >= 0 && s <= n && coverage > 0 && coverage < 1);
  if (n == 0) return std::nullopt;
  double outside = (1 - coverage) / 2;
  return Interval{s == 0 ? 0 : beta_quantile(double(s), double(n - s + 1), outside),
                  s == n ? 1 : beta_quantile(double(s + 1), double(n - s), 1 - outside)};
}

}  // namespace kbx::stats
