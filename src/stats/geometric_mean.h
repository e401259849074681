// The geometric mean of positive figures (speedups) with Student's t interval on the mean of the logarithms.
#pragma once
#include <optional>
#include <span>

#include "stats/interval.h"

namespace kbx::stats {

// All values > 0 and finite (checked). Nothing with fewer than two: one figure has no interval.
std::optional<Estimate> geometric_mean_estimate(std::span<const double> values, double coverage = 0.95);

}  // namespace kbx::stats
