#include "report/timing_text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "report/hardware.h"
#include "report/text_table.h"

namespace kbx::report {
namespace {

using Align = TextTable::Align;
constexpr size_t kRowsMost = 200;  // of the terminal's table; the aggregates take all

std::string us_text(double us) { return us > 0 ? seconds_text(us * 1e-6) : "-"; }
std::string share_text(int64_t n, int64_t of) { return of ? fmt::format("{} of {} ({:.0f}%)", n, of, 100.0 * double(n) / double(of)) : "-"; }
std::optional<double> known(double v) { return v > 0 ? std::optional(v) : std::nullopt; }

// By whose peaks the shares are, in words; "" = by nobody's.
std::string peaks_text(const Timing& t) {
  std::string out;
  if (t.peaks) out = fmt::format("IOU and MFU of {}: {}/s ({}: {})\n", t.peaks->name, bytes_text(t.peaks->bandwidth), to_text(t.peaks->origin), t.peaks->source);
  if (t.reached) out += fmt::format("reached: shares of what kernels attained on this board, {}/s ({})\n", bytes_text(t.reached->bandwidth), t.reached->source);
  return shown(out);
}

std::vector<std::string> size_cells(const SizeTiming& s, bool reached) {
  std::string name = shown_line(s.case_name, 40);
  std::string bound = s.bound_us > 0 ? us_text(s.bound_us) + " (" + shown(s.limit, 10) + ")" : "-";
  std::vector<std::string> out;
  if (s.measured())
    out = {name, us_text(s.candidate_us), us_text(s.reference_us), ratio_text(known(s.speedup)), interval_text(known(s.low), known(s.high)), us_text(s.candidate_host_us),
           us_text(s.reference_host_us), percent_text(s.iou), percent_text(s.mfu)};
  else
    out = {name, "no time", "", "", "", "", "", "", ""};
  if (reached) out.insert(out.end(), {percent_text(s.iou_reached), percent_text(s.mfu_reached)});
  out.insert(out.end(), {bound, std::string(to_text(s.by)), !s.measured() ? "" : !s.compared ? "not compared" : s.claimed ? "its own word" : s.launch_bound ? "launch-bound" : ""});
  return out;
}

std::vector<std::string> mean_cells(const Timing& t, bool reached) {
  std::string host = t.host_speedup ? "x" + ratio_text(t.host_speedup) : "-";
  std::vector<std::string> out{"all", "", "", ratio_text(t.speedup), interval_text(t.low, t.high), host, "", percent_text(t.iou), percent_text(t.mfu)};
  if (reached) out.insert(out.end(), {percent_text(t.iou_reached), percent_text(t.mfu_reached)});
  return out;
}

std::string notes_text(const Timing& t) {
  std::string out;
  for (const SizeTiming& s : t.sizes) {
    if (!s.measured()) out += "  " + shown_line(s.case_name, 40) + ": no time: " + shown_line(s.problem, 300) + "\n";
    for (const std::string& n : s.notes) out += "  " + shown_line(s.case_name, 40) + ": " + shown_line(n, 300) + "\n";
  }
  return out;
}

}  // namespace

std::string ratio_text(const std::optional<double>& r) {
  if (!r) return "-";
  return fmt::format("{:.{}f}", *r, *r < 9.9995 ? 3 : *r < 99.95 ? 1 : 0);
}
std::string interval_text(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? "[" + ratio_text(low) + ", " + ratio_text(high) + "]" : "-";
}
std::string percent_text(const std::optional<double>& share) { return share ? fmt::format("{:.{}f}%", 100 * *share, *share < 0.0995 ? 1 : 0) : "-"; }

std::vector<std::string> timing_aggregates(const TimingSummary& s) {
  std::vector<std::string> out;
  out.push_back(fmt::format("{} of {} correct candidates timed, of {} judged", s.timed(), s.correct, s.judged));
  if (auto mean = s.geometric_mean()) out.push_back(fmt::format("speedup over eager, geometric mean over {} task{}: {}", s.timed_tasks(), s.timed_tasks() == 1 ? "" : "s", ratio_text(mean)));
  std::string fast;
  for (double p : kFastThresholds) fast += fmt::format("{}fast_{:g} {}", fast.empty() ? "" : ", ", p, share_text(s.faster_than(p), s.judged));
  out.push_back("correct and faster than p: " + fast);
  out.push_back(fmt::format("slower than eager: {} of those timed; beyond doubt (interval without 1): {} faster, {} slower",
                            share_text(s.slower(), s.timed()), s.surely_faster(), s.surely_slower()));
  return out;
}

std::string timing_summary_text(const TimingSummary& s) {
  if (s.empty()) return "";
  TextTable t({{"task"}, {"candidate"}, {"speedup", Align::right}, {"95% interval", Align::right}, {"host", Align::right}, {"IOU", Align::right}, {"MFU", Align::right}, {"marks"}});
  for (const TimedRow& r : s.rows) {
    if (t.size() == kRowsMost) break;
    std::string marks = r.problem.empty() ? r.marks : "no time: " + r.problem + (r.marks.empty() ? "" : "; " + r.marks);
    t.add({shown(r.task, 40), shown(r.candidate, 40), ratio_text(r.speedup), interval_text(r.low, r.high), ratio_text(r.host_speedup), percent_text(r.iou), percent_text(r.mfu), shown(marks, 120)});
  }
  std::string out = t.text();
  if (s.rows.size() > kRowsMost) out += fmt::format("and {} more: kbx report lists all\n", s.rows.size() - kRowsMost);
  for (const std::string& line : timing_aggregates(s)) out += line + "\n";
  return out;
}

std::string timing_text(const Record& r) {
  if (!r.timing) return "";
  const Timing& t = *r.timing;
  bool reached = t.reached.has_value();
  std::vector<TextTable::Column> columns{{"size"}, {"candidate", Align::right}, {"eager", Align::right}, {"speedup", Align::right}, {"95% interval", Align::right},
                                         {"host", Align::right}, {"eager host", Align::right}, {"IOU", Align::right}, {"MFU", Align::right}};
  if (reached) columns.insert(columns.end(), {{"IOU reached", Align::right}, {"MFU reached", Align::right}});
  columns.insert(columns.end(), {{"at least", Align::right}, {"timed by"}, {""}});
  TextTable table(columns);
  for (const SizeTiming& s : t.sizes) table.add(size_cells(s, reached));
  if (t.sizes.size() > 1) {
    table.rule();
    table.add(mean_cells(t, reached));
  }
  std::string out = fmt::format("device time on {}, board {}, driver {}\n", shown(t.gpu, 80), shown(t.board, 60), shown(t.driver, 40));
  return out + table.text() + notes_text(t) + peaks_text(t) + "\n";
}

std::string calibration_text(const Calibration& c, const Peaks* sheet) {
  TextTable t({{"rate"}, {"measured", Align::right}, {"datasheet", Align::right}, {"share", Align::right}, {"how"}});
  auto how = [&](const std::string& key) {
    auto found = c.methods.find(key);
    return found == c.methods.end() ? std::string() : shown(found->second, 120);
  };
  auto row = [&](const std::string& name, const std::string& key, double rate, double peak, auto text) {
    t.add({name, rate > 0 ? text(rate) : "not measured", peak > 0 ? text(peak) : "-", rate > 0 && peak > 0 ? percent_text(rate / peak) : "-", how(key)});
  };
  auto bytes = [](double v) { return bytes_text(v) + "/s"; };
  auto flops = [](double v) { return fmt::format("{:.1f} T/s", v / 1e12); };
  double bandwidth = sheet ? sheet->bandwidth : 0;
  row("memory, copy", "copy", c.copy_bandwidth, bandwidth, bytes);
  row("memory, read", "read", c.read_bandwidth, bandwidth, bytes);
  for (size_t k = 0; k < kUnits; k++) {
    std::string unit(to_text(Unit(k)));
    double peak = sheet ? sheet->unit[k].value_or(0) : 0;
    if (c.matmul[k] || peak > 0) row("matmul, " + unit, unit, c.matmul[k].value_or(0), peak, flops);
  }
  return fmt::format("{}, board {}, driver {}, {}\n", shown(c.gpu, 80), shown(c.board, 60), shown(c.driver, 40), shown(c.date, 40)) + t.text();
}

std::string aa_text(const AaResults& results) {
  TextTable t({{"kernel"}, {"device time", Align::right}, {"experiments", Align::right}, {"1.0 inside", Align::right}, {"sd of the ratio", Align::right}, {"half width", Align::right}, {"groups", Align::right}});
  TextTable more({{"more work"}, {"experiments", Align::right}, {"seen", Align::right}, {"mean ratio", Align::right}, {"half width", Align::right}});
  int experiments = 0, covered = 0;
  auto percent = [](double v) { return fmt::format("{:.2f}%", 100 * v); };
  std::string problems;
  for (const AaResult& r : results) {
    if (!r.problem.empty()) problems += fmt::format("  {}: {} without an interval: {}\n", shown(r.kernel, 60), r.failed, shown(r.problem, 300));
    if (r.more_work > 0) {
      more.add({shown(r.kernel, 60), std::to_string(r.experiments), share_text(r.found, r.experiments), ratio_text(known(r.mean_ratio)), percent(r.half_width)});
      continue;
    }
    experiments += r.experiments;
    covered += r.covered;
    t.add({shown(r.kernel, 60), us_text(r.size_us), std::to_string(r.experiments), share_text(r.covered, r.experiments), percent(r.ratio_sd), percent(r.half_width), r.groups > 0 ? fmt::format("{:.1f}", r.groups) : "-"});
  }
  if (t.size() > 1) {
    t.rule();
    t.add({"all", "", std::to_string(experiments), share_text(covered, experiments)});
  }
  return t.text() + (more.size() ? "\n" + more.text() : "") + problems;
}

}  // namespace kbx::report
