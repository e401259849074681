#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "stats/special.h"

namespace kbx::stats {

double quantile_sorted(std::span<const double> sorted, double p) {
  KBX_CHECK(!sorted.empty() && p >= 0 && p <= 1);
  double at = p * double(sorted.size() - 1);
  auto k = size_t(at);
  if (k + 1 >= sorted.size()) return sorted.back();
  return sorted[k] + (at - double(k)) * (sorted[k + 1] - sorted[k]);
}

std::optional<double> quantile(std::span<const double> values, double p) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return quantile_sorted(sorted, p);
}

std::optional<Interval> quantile_interval(std::span<const double> values, double p, double coverage) {
  KBX_CHECK(p > 0 && p < 1 && coverage > 0 && coverage < 1);
  auto n = static_cast<long long>(values.size());
  double outside = (1 - coverage) / 2;
  // X = how many values lie below the quantile ~ binomial(n, p); rank r (from 1) is at most the quantile iff X >= r.
  long long low = 0, high = n + 1;
  while (low < n && binomial_below(low, n, p) <= outside) low++;                     // P(X < low + 1) <= outside: rank low + 1 still serves
  while (high > 1 && 1 - binomial_below(high - 2, n, p) <= outside) high--;          // P(X >= high - 1) <= outside
  if (low < 1 || high > n) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return Interval{sorted[size_t(low - 1)], sorted[size_t(high - 1)]};
}

}  // namespace kbx::stats
