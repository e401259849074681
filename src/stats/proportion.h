// Intervals for a share of successes, s of n.
//   Wilson        inverts the score test (Wilson, JASA 22, 1927); near its nominal coverage even for small n
//   Clopper-Pearson  inverts the exact binomial test (Biometrika 26, 1934); never below its coverage, so wider
#pragma once
#include <cstdint>
#include <optional>

#include "stats/interval.h"

namespace kbx::stats {

// Nothing for n = 0. 0 <= s <= n.
std::optional<Interval> wilson_interval(int64_t s, int64_t n, double coverage = 0.95);
std::optional<Interval> clopper_pearson_interval(int64_t s, int64_t n, double coverage = 0.95);

}  // namespace kbx::stats
