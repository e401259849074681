#include "model/efficiency.h"

#include <cmath>

namespace kbx {
namespace {

constexpr double kMicro = 1e6;

CallCost cost_of(const SizeTiming& s) { return {s.case_name, s.bytes, s.flops, s.unit}; }

// Geometric mean of what `each` gives for every size that was compared; absent as soon as one has nothing, or a claim.
template <class F>
std::optional<double> mean_over(const std::vector<SizeTiming>& sizes, F each) {
  std::vector<double> values;
  for (const SizeTiming& s : sizes) {
    if (s.measured() && !s.compared) continue;
    std::optional<double> v = s.measured() && !s.claimed ? each(s) : std::nullopt;
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  return geometric_mean(values);
}

bool has_interval(const SizeTiming& s) { return s.measured() && s.low > 0 && s.high >= s.low && s.speedup > 0; }

void add_interval(Timing& t) {
  t.low = t.high = std::nullopt;
  if (!t.speedup) return;
  double below = 0, above = 0, n = 0;
  for (const SizeTiming& s : t.sizes) {
    if (!s.compared) continue;
    n++;
    if (!has_interval(s)) return;
    double centre = std::log(s.speedup);
    below += std::pow(centre - std::log(s.low), 2);
    above += std::pow(std::log(s.high) - centre, 2);
  }
  t.low = *t.speedup * std::exp(-std::sqrt(below) / n);
  t.high = *t.speedup * std::exp(std::sqrt(above) / n);
}

}  // namespace

Bound bound_of(const CallCost& cost, const Peaks& peaks) {
  Bound out;
  if (peaks.bandwidth > 0 && cost.bytes > 0) out = {cost.bytes / peaks.bandwidth * kMicro, "memory"};
  auto peak = peaks.of(cost.unit);
  if (peak && cost.flops / *peak * kMicro > out.us) out = {cost.flops / *peak * kMicro, cost.unit};
  return out;
}

std::optional<double> iou_of(const CallCost& cost, double us, const Peaks& peaks) {
  if (!(us > 0) || !(cost.bytes > 0) || !(peaks.bandwidth > 0)) return std::nullopt;
  return cost.bytes / (us / kMicro) / peaks.bandwidth;
}

std::optional<double> mfu_of(const CallCost& cost, double us, const Peaks& peaks) {
  auto peak = peaks.of(cost.unit);
  if (!(us > 0) || !(cost.flops > 0) || !peak) return std::nullopt;
  return cost.flops / (us / kMicro) / *peak;
}

double physical_floor_us(const CallCost& cost, const Peaks& peaks, double l2_bytes) {
  CallCost outside = cost;
  outside.bytes = std::max(0.0, cost.bytes - l2_bytes);
  return bound_of(outside, peaks).us / kClockMargin;
}

std::optional<double> geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (double v : values) {
    if (!(v > 0) || !std::isfinite(v)) return std::nullopt;
    sum += std::log(v);
  }
  return std::exp(sum / double(values.size()));
}

void complete(Timing& timing, const Peaks* datasheet, const Peaks* calibrated) {
  timing.peaks = datasheet ? std::optional(*datasheet) : std::nullopt;
  timing.reached = calibrated ? std::optional(*calibrated) : std::nullopt;
  for (SizeTiming& s : timing.sizes) {
    s.bound_us = 0;
    s.limit.clear();
    s.iou = s.mfu = s.iou_reached = s.mfu_reached = std::nullopt;
    CallCost cost = cost_of(s);
    if (datasheet) {
      Bound bound = bound_of(cost, *datasheet);
      s.bound_us = bound.us;
      s.limit = bound.limit;
    }
    if (!s.measured()) continue;
    if (datasheet) s.iou = iou_of(cost, s.candidate_us, *datasheet), s.mfu = mfu_of(cost, s.candidate_us, *datasheet);
    if (calibrated) s.iou_reached = iou_of(cost, s.candidate_us, *calibrated), s.mfu_reached = mfu_of(cost, s.candidate_us, *calibrated);
  }
  update_means(timing);
}

void update_means(Timing& t) {
  auto positive = [](double v) { return v > 0 ? std::optional(v) : std::nullopt; };
  t.speedup = mean_over(t.sizes, [&](const SizeTiming& s) { return positive(s.speedup); });
  add_interval(t);
  t.host_speedup = mean_over(t.sizes, [&](const SizeTiming& s) {
    return s.candidate_host_us > 0 && s.reference_host_us > 0 ? positive(s.reference_host_us / s.candidate_host_us) : std::nullopt;
  });
  t.iou = mean_over(t.sizes, [](const SizeTiming& s) { return s.iou; });
  t.mfu = mean_over(t.sizes, [](const SizeTiming& s) { return s.mfu; });
  t.iou_reached = mean_over(t.sizes, [](const SizeTiming& s) { return s.iou_reached; });
  t.mfu_reached = mean_over(t.sizes, [](const SizeTiming& s) { return s.mfu_reached; });
}

}  // namespace kbx
