#include "stats/paired.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "stats/ranks.h"
#include "stats/special.h"

namespace kbx::stats {
namespace {

// P(the sum of a random half of the ranks <= s), over all signs: ranks doubled are whole numbers, so sums are counted.
double exact_below(std::span<const double> ranks, double s) {
  size_t total = 0;
  for (double r : ranks) total += size_t(std::lround(2 * r));
  std::vector<double> chance(total + 1, 0);
  chance[0] = 1;
  size_t reached = 0;
  for (double r : ranks) {
    auto step = size_t(std::lround(2 * r));
    reached += step;
    for (size_t k = reached + 1; k-- > 0;) chance[k] = (chance[k] + (k >= step ? chance[k - step] : 0)) / 2;
  }
  double sum = 0;
  for (size_t k = 0; k <= size_t(std::lround(2 * s)) && k <= total; k++) sum += chance[k];
  return sum;
}

}  // namespace

double mcnemar_exact(int64_t gained, int64_t lost) {
  KBX_CHECK(gained >= 0 && lost >= 0);
  return gained == lost ? 1 : std::min(1.0, 2 * binomial_below(std::min(gained, lost), gained + lost, 0.5));
}

std::optional<SignedRank> wilcoxon_signed_rank(std::span<const double> differences) {
  std::vector<double> kept, sizes;
  for (double d : differences) {
    if (d == 0) continue;
    kept.push_back(d);
    sizes.push_back(std::abs(d));
  }
  if (kept.empty()) return std::nullopt;
  Ranks ranks = ranks_of(sizes);
  SignedRank out;
  out.pairs = int64_t(kept.size());
  for (size_t k = 0; k < kept.size(); k++) (kept[k] > 0 ? out.rank_sum_up : out.rank_sum_down) += ranks.rank[k];
  double smaller = std::min(out.rank_sum_up, out.rank_sum_down);
  out.exact = out.pairs <= kExactPairs;
  if (out.exact) {
    out.p = std::min(1.0, 2 * exact_below(ranks.rank, smaller));
    return out;
  }
  double n = double(out.pairs), variance = n * (n + 1) * (2 * n + 1) / 24;
  for (size_t t : ranks.tie_sizes) variance -= (std::pow(double(t), 3) - double(t)) / 48;
  out.p = std::min(1.0, 2 * normal_below((smaller - n * (n + 1) / 4) / std::sqrt(variance)));
  return out;
}

}  // namespace kbx::stats
