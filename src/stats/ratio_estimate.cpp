#include "stats/ratio_estimate.h"

#include <cmath>
#include <limits>
#include <span>

#include "stats/t_quantile.h"

namespace kbx::stats {
namespace {

struct Spread {
  double mean = 0, half_width = std::numeric_limits<double>::infinity();
};
double mean_of(std::span<const double> values) {
  double sum = 0;
  for (double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}
Spread spread_of(std::span<const double> values, int first, double coverage) {
  Spread s;
  s.mean = mean_of(values);
  auto stage = first > 0 && size_t(first) < values.size() ? values.first(size_t(first)) : values;
  if (stage.size() < 2) return s;
  double center = mean_of(stage), squares = 0;
  for (double v : stage) squares += (v - center) * (v - center);
  int degrees = int(stage.size()) - 1;
  s.half_width = t_quantile(coverage, degrees) * std::sqrt(squares / degrees / double(values.size()));
  return s;
}

}  // namespace

RatioEstimate ratio_estimate(const std::vector<GroupSums>& groups, int first, double coverage) {
  std::vector<double> logs;
  int stage = 0;
  for (size_t k = 0; k < groups.size(); k++)
    if (groups[k].a > 0 && groups[k].b > 0) logs.push_back(std::log(groups[k].a / groups[k].b)), stage += int(k) < first;
  Spread s = spread_of(logs, stage, coverage);
  RatioEstimate out;
  out.groups = int(logs.size());
  out.half_width = s.half_width;
  if (logs.empty()) return out;
  out.ratio = std::exp(s.mean);
  out.low = std::exp(s.mean - s.half_width);
  out.high = std::exp(s.mean + s.half_width);
  return out;
}

MeanEstimate mean_estimate(const std::vector<double>& group_means, int first, double coverage) {
  Spread s = spread_of(group_means, first, coverage);
  MeanEstimate out;
  out.groups = int(group_means.size());
  out.half_width = s.mean > 0 ? s.half_width / s.mean : std::numeric_limits<double>::infinity();
  out.mean = s.mean;
  out.low = s.mean - s.half_width;
  out.high = s.mean + s.half_width;
  return out;
}

}  // namespace kbx::stats
