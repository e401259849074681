#include "stats/geometric_mean.h"

#include <cmath>

#include "base/check.h"
#include "stats/t_quantile.h"

namespace kbx::stats {

std::optional<Estimate> geometric_mean_estimate(std::span<const double> values, double coverage) {
  if (values.size() < 2) return std::nullopt;
  double n = double(values.size()), mean = 0, squares = 0;
  for (double v : values) {
    KBX_CHECK(v > 0 && std::isfinite(v));
    mean += std::log(v) / n;
  }
  for (double v : values) squares += (std::log(v) - mean) * (std::log(v) - mean);
  double half = t_quantile(coverage, int(values.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  return Estimate{std::exp(mean), {std::exp(mean - half), std::exp(mean + half)}};
}

}  // namespace kbx::stats
