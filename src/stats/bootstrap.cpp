#include "stats/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "stats/quantile.h"
#include "stats/random.h"
#include "stats/special.h"

namespace kbx::stats {
namespace {

using Values = std::vector<std::vector<double>>;  // per replicate, per figure

Values replicates_of(size_t clusters, const ClusterStatistic& statistic, const BootstrapPlan& plan) {
  Random random(plan.seed, plan.stream);
  std::vector<size_t> chosen(clusters);
  Values out;
  for (int k = 0; k < plan.replicates; k++) {
    for (size_t& c : chosen) c = random.below(clusters);
    if (auto v = statistic(chosen)) out.push_back(std::move(*v));
  }
  return out;
}

Values jackknife_of(size_t clusters, const ClusterStatistic& statistic) {
  Values out;
  for (size_t left_out = 0; left_out < clusters; left_out++) {
    std::vector<size_t> chosen;
    for (size_t c = 0; c < clusters; c++)
      if (c != left_out) chosen.push_back(c);
    if (auto v = statistic(chosen)) out.push_back(std::move(*v));
  }
  return out;
}

std::vector<double> figure(const Values& values, size_t f) {
  std::vector<double> out;
  for (const auto& v : values) out.push_back(v[f]);
  return out;
}

double mean_of(std::span<const double> values) {
  double mean = 0;
  for (double v : values) mean += v / double(values.size());
  return mean;
}

double deviation(std::span<const double> values) {
  double mean = mean_of(values), squares = 0;
  for (double v : values) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / double(values.size() - 1));
}

double acceleration(std::span<const double> jackknife) {
  double mean = mean_of(jackknife), squares = 0, cubes = 0;
  for (double v : jackknife) {
    squares += (mean - v) * (mean - v);
    cubes += (mean - v) * (mean - v) * (mean - v);
  }
  return squares > 0 ? cubes / (6 * std::pow(squares, 1.5)) : 0;
}

}  // namespace

Interval percentile_interval(std::span<const double> replicates, double coverage) {
  std::vector<double> sorted(replicates.begin(), replicates.end());
  std::sort(sorted.begin(), sorted.end());
  return {quantile_sorted(sorted, (1 - coverage) / 2), quantile_sorted(sorted, (1 + coverage) / 2)};
}

Interval bca_interval(double value, std::span<const double> replicates, std::span<const double> jackknife, double coverage) {
  KBX_CHECK(replicates.size() >= 2);
  std::vector<double> sorted(replicates.begin(), replicates.end());
  std::sort(sorted.begin(), sorted.end());
  // Replicates that equal the estimate count half: counts of trials make ties.
  double slack = 1e-12 * std::abs(value), below = 0;
  for (double r : sorted) below += r < value - slack ? 1 : r <= value + slack ? 0.5 : 0;
  double n = double(sorted.size()), a = acceleration(jackknife);
  double z0 = normal_quantile(std::clamp(below / n, 0.5 / n, 1 - 0.5 / n));
  auto end = [&](double p) {
    double z = z0 + normal_quantile(p);
    double denominator = std::max(1 - a * z, 1e-3);
    return quantile_sorted(sorted, normal_below(z0 + z / denominator));
  };
  return {end((1 - coverage) / 2), end((1 + coverage) / 2)};
}

std::vector<BootstrapResult> cluster_bootstrap(size_t clusters, const ClusterStatistic& statistic, const BootstrapPlan& plan) {
  KBX_CHECK(plan.replicates >= 2 && plan.coverage > 0 && plan.coverage < 1);
  if (clusters < 3) return {};
  std::vector<size_t> all(clusters);
  for (size_t c = 0; c < clusters; c++) all[c] = c;
  auto data = statistic(all);
  if (!data) return {};
  Values replicates = replicates_of(clusters, statistic, plan), jackknife = jackknife_of(clusters, statistic);
  if (double(replicates.size()) < 0.9 * plan.replicates) return {};
  std::vector<BootstrapResult> out;
  for (size_t f = 0; f < data->size(); f++) {
    std::vector<double> r = figure(replicates, f), j = figure(jackknife, f);
    BootstrapResult result;
    result.value = (*data)[f];
    result.percentile = percentile_interval(r, plan.coverage);
    result.bca = bca_interval(result.value, r, j, plan.coverage);
    result.mean = mean_of(r);
    result.standard_error = deviation(r);
    result.replicates = int(r.size());
    out.push_back(result);
  }
  return out;
}

}  // namespace kbx::stats
