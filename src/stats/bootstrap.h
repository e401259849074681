// The bootstrap over clusters: whole clusters (tasks) are drawn with replacement, as results on one task hang together.
// Efron and Tibshirani, An Introduction to the Bootstrap, 1993: percentile interval chapter 13, BCa chapter 14. BCa
// corrects a biased or skewed statistic: z0 from the share of replicates below the estimate, the acceleration from the
// jackknife over clusters (14.15).
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "stats/interval.h"

namespace kbx::stats {

struct BootstrapPlan {
  uint64_t seed = 0, stream = 0;
  int replicates = 2000;
  double coverage = 0.95;
};

struct BootstrapResult {
  double value = 0;               // of the data themselves
  Interval percentile, bca;
  double mean = 0, standard_error = 0;  // of the replicates
  int replicates = 0;             // that had a value
};

// What is estimated, from the clusters chosen (indices, a repeated one counts as often as it stands there): one number a
// figure, always as many; nothing where the choice has none (no trial failed, say).
using ClusterStatistic = std::function<std::optional<std::vector<double>>(std::span<const size_t> chosen)>;

// One result a figure; empty when the whole data have no value, there are fewer than three clusters, or more than a tenth
// of the replicates had none: too little data say nothing.
std::vector<BootstrapResult> cluster_bootstrap(size_t clusters, const ClusterStatistic& statistic, const BootstrapPlan& plan);

// The parts. Replicates in any order, at least two.
Interval percentile_interval(std::span<const double> replicates, double coverage);
Interval bca_interval(double value, std::span<const double> replicates, std::span<const double> jackknife, double coverage);

}  // namespace kbx::stats
