// Quantiles by linear interpolation between order statistics: position (n - 1) p (type 7 of Hyndman and Fan, "Sample
// quantiles in statistical packages", The American Statistician 50, 1996), with the distribution-free interval from order
// statistics (binomial; David and Nagaraja, Order Statistics, 2003, section 7.1).
#pragma once
#include <optional>
#include <span>

#include "stats/interval.h"

namespace kbx::stats {

// Of values in any order, none NaN; 0 <= p <= 1. Nothing for no values.
std::optional<double> quantile(std::span<const double> values, double p);
// Of values in rising order, at least one.
double quantile_sorted(std::span<const double> sorted, double p);

// The order statistics between which the quantile lies with at least `coverage`, (1 - coverage) / 2 left on either side;
// nothing when the sample is too small for that (a median at 95 % needs 6 values).
std::optional<Interval> quantile_interval(std::span<const double> values, double p, double coverage = 0.95);

}  // namespace kbx::stats
