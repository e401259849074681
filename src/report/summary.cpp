#include "report/summary.h"

#include <algorithm>

#include "stats/pass_at_k.h"

namespace kbx::report {
namespace {

void count(Counts& c, const Record& r) {
  c.candidates++;
  c.call += r.call_ok;
  c.exe += r.exe_ok;
  c.paper_call += r.paper_call_ok;
  c.paper_exe += r.paper_exe_ok;
  c.verdicts[size_t(r.verdict)]++;
}

}  // namespace

void Summary::add(const Record& r) {
  candidates++;
  if (!r.in_suite) {
    not_in_suite++;
    return;
  }
  count(all, r);
  count(by_category[r.category], r);
  count(by_task[r.task], r);
  paper[size_t(r.paper)]++;
  candidate_seconds += r.seconds;
  seconds.push_back(r.seconds);
  timing.add(r);
}

std::optional<double> Summary::pass_at(int64_t k) const {
  double sum = 0;
  for (const auto& [task, c] : by_task) {
    auto p = stats::pass_at_k(c.candidates, c.exe, k);
    if (!p) return std::nullopt;
    sum += *p;
  }
  if (by_task.empty()) return std::nullopt;
  return sum / double(by_task.size());
}

double Summary::seconds_quantile(double q) const {
  if (seconds.empty()) return 0;
  auto sorted = seconds;
  auto at = size_t(q * double(sorted.size() - 1) + 0.5);
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(at), sorted.end());
  return sorted[at];
}

}  // namespace kbx::report
