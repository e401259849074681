#include "stats/rank_correlation.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/check.h"
#include "stats/ranks.h"
#include "stats/special.h"

namespace kbx::stats {
namespace {

double pearson(std::span<const double> a, std::span<const double> b) {
  double n = double(a.size()), mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  for (size_t k = 0; k < a.size(); k++) mean_a += a[k] / n, mean_b += b[k] / n;
  for (size_t k = 0; k < a.size(); k++) {
    double da = a[k] - mean_a, db = b[k] - mean_b;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
}

double kendall_tau_b(std::span<const double> a, std::span<const double> b) {
  auto sign = [](double x, double y) { return int(x > y) - int(x < y); };
  double agree = 0, untied_a = 0, untied_b = 0;
  for (size_t i = 0; i < a.size(); i++) {
    for (size_t k = i + 1; k < a.size(); k++) {
      int in_a = sign(a[i], a[k]), in_b = sign(b[i], b[k]);
      agree += in_a * in_b;
      untied_a += in_a != 0;
      untied_b += in_b != 0;
    }
  }
  return std::clamp(agree / std::sqrt(untied_a * untied_b), -1.0, 1.0);
}

Estimate on_fishers_z(double r, double variance, double coverage) {
  double half = normal_quantile((1 + coverage) / 2) * std::sqrt(variance);
  if (std::abs(r) >= 1) return {r, {r, r}};
  return {r, {std::tanh(std::atanh(r) - half), std::tanh(std::atanh(r) + half)}};
}

bool all_equal(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

std::optional<RankCorrelation> rank_correlation(std::span<const double> a, std::span<const double> b, double coverage) {
  KBX_CHECK(a.size() == b.size() && coverage > 0 && coverage < 1);
  if (a.size() < 6 || all_equal(a) || all_equal(b)) return std::nullopt;
  double n = double(a.size()), rho = pearson(ranks_of(a).rank, ranks_of(b).rank);
  RankCorrelation out;
  out.spearman = on_fishers_z(rho, (1 + rho * rho / 2) / (n - 3), coverage);
  out.kendall = on_fishers_z(kendall_tau_b(a, b), 0.437 / (n - 4), coverage);
  out.pairs = int64_t(a.size());
  return out;
}

}  // namespace kbx::stats
