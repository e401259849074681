#include "report/timing_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/efficiency.h"

namespace kbx::report {
namespace {

void mark(std::string& marks, const std::string& what) { marks += (marks.empty() ? "" : "; ") + what; }

// By task the speedups that count.
std::map<std::string, std::vector<double>> speedups(const std::vector<TimedRow>& rows) {
  std::map<std::string, std::vector<double>> out;
  for (const TimedRow& r : rows)
    if (r.counts()) out[r.task].push_back(*r.speedup);
  return out;
}

template <class F>
int64_t count(const std::vector<TimedRow>& rows, F which) {
  return std::count_if(rows.begin(), rows.end(), [&](const TimedRow& r) { return r.counts() && which(r); });
}

}  // namespace

TimedRow timed_row(const Record& r) {
  const Timing& t = *r.timing;
  TimedRow out{r.candidate, r.task, r.exe_ok, t.speedup, t.low, t.high, t.host_speedup, t.iou, t.mfu, int(t.sizes.size()), 0, "", ""};
  TimedBy least = TimedBy::replay;
  int unseen = 0;
  for (const SizeTiming& s : t.sizes) {
    if (!s.measured()) {
      if (out.problem.empty()) out.problem = s.case_name + ": " + s.problem;
      continue;
    }
    if (s.claimed && out.problem.empty()) out.problem = s.case_name + ": timed in its own process alone, which is its own word";
    unseen += !s.compared;
    out.launch_bound += s.launch_bound;
    least = std::max(least, s.by);
  }
  if (t.sizes.empty()) out.problem = "no size was timed";
  if (least != TimedBy::replay) mark(out.marks, std::string(to_text(least)));
  if (unseen) mark(out.marks, fmt::format("{} of {} sizes not compared", unseen, out.sizes));
  if (unseen == out.sizes && unseen && out.problem.empty()) out.problem = "the values were compared at no size";
  if (out.launch_bound) mark(out.marks, fmt::format("{} of {} sizes launch-bound", out.launch_bound, out.sizes));
  for (const std::string& flag : r.flags)
    if (flag != to_text(least)) mark(out.marks, flag);
  return out;
}

void TimingSummary::add(const Record& r) {
  judged++;
  correct += r.exe_ok;
  if (!r.timing) return;
  rows.push_back(timed_row(r));
  if (r.timing->peaks) cards[r.timing->gpu] = *r.timing->peaks;
}

int64_t TimingSummary::timed() const {
  return count(rows, [](const TimedRow&) { return true; });
}
int64_t TimingSummary::timed_tasks() const { return int64_t(speedups(rows).size()); }

std::optional<double> TimingSummary::geometric_mean() const {
  std::vector<double> means;
  for (const auto& [task, values] : speedups(rows)) means.push_back(kbx::geometric_mean(values).value_or(0));
  return kbx::geometric_mean(means);
}

int64_t TimingSummary::faster_than(double p) const {
  return count(rows, [&](const TimedRow& r) { return *r.speedup > p; });
}
int64_t TimingSummary::slower() const {
  return count(rows, [](const TimedRow& r) { return *r.speedup < 1; });
}
int64_t TimingSummary::surely_faster() const {
  return count(rows, [](const TimedRow& r) { return r.low && *r.low > 1; });
}
int64_t TimingSummary::surely_slower() const {
  return count(rows, [](const TimedRow& r) { return r.high && *r.high < 1; });
}

Json timing_summary_json(const TimingSummary& s) {
  if (s.empty()) return nullptr;
  Json fast = Json::object();
  for (double p : kFastThresholds) fast[fmt::format("{:g}", p)] = double(s.faster_than(p)) / double(s.judged);
  auto mean = s.geometric_mean();
  return {{"timed", s.timed()}, {"correct", s.correct}, {"judged", s.judged}, {"tasks", s.timed_tasks()}, {"speedup", mean ? Json(*mean) : Json()}, {"fast_p", fast},
          {"slower", s.slower()}, {"surely_faster", s.surely_faster()}, {"surely_slower", s.surely_slower()}};
}

}  // namespace kbx::report
