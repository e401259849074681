#include "report/page_times.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text.h"

namespace kbx::report {
namespace {

constexpr size_t kWordsMost = 400;  // bytes of a note or problem

Json number(double v) { return std::isfinite(v) ? Json(std::strtod(fmt::format("{:.5g}", v).c_str(), nullptr)) : Json(); }
Json number(const std::optional<double>& v) { return v ? number(*v) : Json(); }
// A time or ratio of 0 is none.
Json known(double v) { return v > 0 ? number(v) : Json(); }

Json card_json(const Peaks& p) {
  Json units = Json::object();
  for (size_t k = 0; k < kUnits; k++)
    if (p.unit[k]) units[std::string(to_text(Unit(k)))] = number(*p.unit[k]);
  return {{"name", p.name}, {"origin", to_text(p.origin)}, {"bandwidth", known(p.bandwidth)}, {"units", units}, {"source", p.source}};
}
Json card_json(const std::optional<Peaks>& p) { return p ? card_json(*p) : Json(); }

Json size_detail(const SizeTiming& s) {
  Json notes = Json::array();
  for (const std::string& n : s.notes) notes.push_back(clean_utf8(n, kWordsMost));
  return Json::array({s.case_name, clean_utf8(s.problem, kWordsMost), to_text(s.by), known(s.candidate_us), known(s.reference_us), known(s.speedup), known(s.low), known(s.high),
                      known(s.candidate_host_us), known(s.reference_host_us), number(s.iou), number(s.mfu), number(s.iou_reached), number(s.mfu_reached), known(s.bound_us), s.limit, s.launch_bound,
                      notes});
}

}  // namespace

Json times_head(const TimingSummary& s) {
  if (s.empty()) return nullptr;
  Json fast = Json::array(), cards = Json::object();
  for (double p : kFastThresholds) fast.push_back(Json::array({p, s.faster_than(p)}));
  for (const auto& [name, peaks] : s.cards) cards[name] = card_json(peaks);
  return {{"timed", s.timed()}, {"correct", s.correct}, {"judged", s.judged}, {"tasks", s.timed_tasks()}, {"speedup", number(s.geometric_mean())}, {"fast", fast},
          {"slower", s.slower()}, {"surelyFaster", s.surely_faster()}, {"surelySlower", s.surely_slower()}, {"cards", cards}};
}

Json times_row(const Record& r) {
  if (!r.timing) return nullptr;
  TimedRow row = timed_row(r);
  Json sizes = Json::array();
  for (const SizeTiming& s : r.timing->sizes)
    if (s.measured()) sizes.push_back(Json::array({s.case_name, known(s.candidate_us), known(s.reference_us), number(s.bytes), number(s.flops), s.unit, number(s.iou), number(s.mfu)}));
  return Json::array({r.timing->gpu, number(row.speedup), number(row.low), number(row.high), number(row.host_speedup), number(row.iou), number(row.mfu), clean_utf8(row.marks, kWordsMost),
                      clean_utf8(row.problem, kWordsMost), sizes});
}

Json times_detail(const Record& r) {
  if (!r.timing) return nullptr;
  const Timing& t = *r.timing;
  Json sizes = Json::array();
  for (const SizeTiming& s : t.sizes) sizes.push_back(size_detail(s));
  return {{"gpu", t.gpu}, {"board", t.board}, {"driver", t.driver}, {"speedup", number(t.speedup)}, {"low", number(t.low)}, {"high", number(t.high)}, {"host", number(t.host_speedup)},
          {"iou", number(t.iou)}, {"mfu", number(t.mfu)}, {"iouReached", number(t.iou_reached)}, {"mfuReached", number(t.mfu_reached)},
          {"peaks", card_json(t.peaks)}, {"reached", card_json(t.reached)}, {"sizes", sizes}};
}

}  // namespace kbx::report
