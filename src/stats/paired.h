// Paired tests: the same tasks under two conditions (two rounds, two methods).
#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace kbx::stats {

// McNemar's test, exact: of the pairs whose outcome changed, `gained` against `lost`, each equally likely if nothing
// changed; two-sided binomial p (McNemar, Psychometrika 12, 1947). 1 where no pair changed.
double mcnemar_exact(int64_t gained, int64_t lost);

// Wilcoxon's signed rank test that the differences lie around 0 (Biometrics 1, 1945). Differences of 0 are left out; ties
// share the mean of their ranks.
struct SignedRank {
  double rank_sum_up = 0, rank_sum_down = 0;  // of positive and negative differences
  int64_t pairs = 0;                          // that were not 0
  double p = 1;                               // two-sided
  // Up to kExactPairs: of all 2^n signs of the ranks as they are, ties included. Beyond: normal, variance corrected for
  // ties, no correction for continuity.
  bool exact = true;
};
inline constexpr int64_t kExactPairs = 50;
// No NaN. Nothing where no difference is other than 0.
std::optional<SignedRank> wilcoxon_signed_rank(std::span<const double> differences);

}  // namespace kbx::stats
