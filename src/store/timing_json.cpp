#include "store/timing_json.h"

#include <cmath>

namespace kbx::store {
namespace {

Json number(double v) { return std::isfinite(v) ? Json(v) : Json(); }
Json number(const std::optional<double>& v) { return v ? number(*v) : Json(); }
double value(const Json& j, const char* key) { return get_double(j, key).value_or(0); }
std::string text(const Json& j, const char* key) { return get_string(j, key).value_or(""); }
int small(const Json& j, const char* key) { return int(get_int(j, key).value_or(0)); }

Json peaks_json(const std::optional<Peaks>& p) {
  if (!p) return nullptr;
  Json units = Json::object();
  for (size_t k = 0; k < kUnits; k++)
    if (p->unit[k]) units[std::string(to_text(Unit(k)))] = number(*p->unit[k]);
  return {{"name", p->name}, {"origin", to_text(p->origin)}, {"bandwidth", number(p->bandwidth)}, {"units", units}, {"source", p->source}};
}
std::optional<Peaks> peaks_from(const Json& j) {
  if (!j.is_object()) return std::nullopt;
  Peaks p;
  p.name = text(j, "name");
  p.origin = peaks_origin_from_text(text(j, "origin")).value_or(Peaks::Origin::datasheet);
  p.bandwidth = value(j, "bandwidth");
  for (size_t k = 0; k < kUnits; k++) p.unit[k] = get_double(get(j, "units"), std::string(to_text(Unit(k))).c_str());
  p.source = text(j, "source");
  return p;
}

Json size_json(const SizeTiming& s) {
  return {{"case", s.case_name}, {"problem", s.problem}, {"by", to_text(s.by)}, {"candidate_us", number(s.candidate_us)}, {"reference_us", number(s.reference_us)},
          {"speedup", number(s.speedup)}, {"low", number(s.low)}, {"high", number(s.high)}, {"groups", s.groups}, {"pairs", s.pairs}, {"spikes", s.spikes},
          {"dropped_pairs", s.dropped_pairs}, {"floor_us", number(s.floor_us)}, {"launch_bound", s.launch_bound}, {"wait_ms", number(s.wait_ms)},
          {"lowest_mhz", number(s.lowest_mhz)}, {"throttle_reasons", s.throttle_reasons}, {"candidate_host_us", number(s.candidate_host_us)},
          {"reference_host_us", number(s.reference_host_us)}, {"bytes", number(s.bytes)}, {"flops", number(s.flops)}, {"unit", s.unit}, {"bound_us", number(s.bound_us)},
          {"limit", s.limit}, {"iou", number(s.iou)}, {"mfu", number(s.mfu)}, {"iou_reached", number(s.iou_reached)}, {"mfu_reached", number(s.mfu_reached)}, {"compared", s.compared}, {"claimed", s.claimed}, {"notes", s.notes}};
}
SizeTiming size_from(const Json& j) {
  SizeTiming s;
  s.case_name = text(j, "case");
  s.problem = text(j, "problem");
  s.by = timed_by_from_text(text(j, "by")).value_or(TimedBy::in_process);  // unknown: the least trusted
  s.candidate_us = value(j, "candidate_us");
  s.reference_us = value(j, "reference_us");
  s.speedup = value(j, "speedup");
  s.low = value(j, "low");
  s.high = value(j, "high");
  s.groups = small(j, "groups");
  s.pairs = small(j, "pairs");
  s.spikes = small(j, "spikes");
  s.dropped_pairs = small(j, "dropped_pairs");
  s.floor_us = value(j, "floor_us");
  s.launch_bound = get_bool(j, "launch_bound").value_or(false);
  s.wait_ms = value(j, "wait_ms");
  s.lowest_mhz = value(j, "lowest_mhz");
  s.throttle_reasons = uint64_t(get_int(j, "throttle_reasons").value_or(0));
  s.candidate_host_us = value(j, "candidate_host_us");
  s.reference_host_us = value(j, "reference_host_us");
  s.bytes = value(j, "bytes");
  s.flops = value(j, "flops");
  s.unit = text(j, "unit");
  s.bound_us = value(j, "bound_us");
  s.limit = text(j, "limit");
  s.compared = get_bool(j, "compared").value_or(true);
  s.claimed = get_bool(j, "claimed").value_or(false);
  s.iou = get_double(j, "iou");
  s.mfu = get_double(j, "mfu");
  s.iou_reached = get_double(j, "iou_reached");
  s.mfu_reached = get_double(j, "mfu_reached");
  if (const Json& notes = get(j, "notes"); notes.is_array())
    for (const Json& n : notes)
      if (n.is_string()) s.notes.push_back(n.get<std::string>());
  return s;
}

}  // namespace

Json timing_json(const Timing& t) {
  Json sizes = Json::array();
  for (const SizeTiming& s : t.sizes) sizes.push_back(size_json(s));
  return {{"gpu", t.gpu}, {"board", t.board}, {"driver", t.driver}, {"speedup", number(t.speedup)}, {"low", number(t.low)}, {"high", number(t.high)},
          {"host_speedup", number(t.host_speedup)}, {"iou", number(t.iou)}, {"mfu", number(t.mfu)}, {"iou_reached", number(t.iou_reached)},
          {"mfu_reached", number(t.mfu_reached)}, {"peaks", peaks_json(t.peaks)}, {"reached", peaks_json(t.reached)}, {"sizes", sizes}};
}

std::optional<Timing> timing_from(const Json& j) {
  if (!j.is_object()) return std::nullopt;
  Timing t;
  t.gpu = text(j, "gpu");
  t.board = text(j, "board");
  t.driver = text(j, "driver");
  t.speedup = get_double(j, "speedup");
  t.low = get_double(j, "low");
  t.high = get_double(j, "high");
  t.host_speedup = get_double(j, "host_speedup");
  t.iou = get_double(j, "iou");
  t.mfu = get_double(j, "mfu");
  t.iou_reached = get_double(j, "iou_reached");
  t.mfu_reached = get_double(j, "mfu_reached");
  t.peaks = peaks_from(get(j, "peaks"));
  t.reached = peaks_from(get(j, "reached"));
  if (const Json& sizes = get(j, "sizes"); sizes.is_array())
    for (const Json& s : sizes) t.sizes.push_back(size_from(s));
  return t;
}

}  // namespace kbx::store
