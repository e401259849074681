#include "stats/ratio_estimate.h"

#include <cmath>
#include <limits>

#include "stats/t_quantile.h"

namespace kbx::stats {
namespace {

struct Spread {
  double mean = 0, half_width = std::numeric_limits<double>::infinity();
};
Spread spread_of(const std::vector<double>& values, double coverage) {
  Spread s;
  auto n = double(values.size());
  if (values.empty()) return s;
  for (double v : values) s.mean += v / n;
  if (values.size() < 2) return s;
  double squares = 0;
  for (double v : values) squares += (v - s.mean) * (v - s.mean);
  s.half_width = t_quantile(coverage, int(values.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  return s;
}

}  // namespace

RatioEstimate ratio_estimate(const std::vector<GroupSums>& groups, double coverage) {
  std::vector<double> logs;
  for (const GroupSums& g : groups)
    if (g.a > 0 && g.b > 0) logs.push_back(std::log(g.a / g.b));
  Spread s = spread_of(logs, coverage);
  RatioEstimate out;
  out.groups = int(logs.size());
  out.half_width = s.half_width;
  if (logs.empty()) return out;
  out.ratio = std::exp(s.mean);
  out.low = std::exp(s.mean - s.half_width);
  out.high = std::exp(s.mean + s.half_width);
  return out;
}

MeanEstimate mean_estimate(const std::vector<double>& group_means, double coverage) {
  Spread s = spread_of(group_means, coverage);
  MeanEstimate out;
  out.groups = int(group_means.size());
  out.half_width = s.mean > 0 ? s.half_width / s.mean : std::numeric_limits<double>::infinity();
  out.mean = s.mean;
  out.low = s.mean - s.half_width;
  out.high = s.mean + s.half_width;
  return out;
}

}  // namespace kbx::stats
