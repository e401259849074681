// Do two lists order the same things alike (speedups of the same kernels on two GPUs)? Spearman's rho and Kendall's tau-b
// (Kendall, Rank Correlation Methods, 4th ed. 1970; tau-b allows for ties), with intervals on Fisher's z:
// atanh(r) +- z s, s^2 = (1 + rho^2 / 2) / (n - 3) for rho (Bonett and Wright, Psychometrika 65, 2000), 0.437 / (n - 4) for
// tau (Fieller, Hartley and Pearson, Biometrika 44, 1957). The intervals take the pairs as independent and without
// many ties.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "stats/interval.h"

namespace kbx::stats {

struct RankCorrelation {
  Estimate spearman, kendall;
  int64_t pairs = 0;
};

// Lists of one length, no NaN. Nothing with fewer than 6 pairs or a list without two different values: too little to say.
std::optional<RankCorrelation> rank_correlation(std::span<const double> a, std::span<const double> b, double coverage = 0.95);

}  // namespace kbx::stats
