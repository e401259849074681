// Stages by category and by method: see analyses.h.
#include <array>

#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

constexpr int kStages = 5;  // compile, call, standard, outlier, correct

struct StageCounts {
  int64_t judged = 0, tasks = 0, paper_judged = 0, paper_call = 0, paper_correct = 0;
  std::array<int64_t, kStages> passed{};

  void add(const Trial& t) {
    if (t.judged()) {
      judged++;
      passed[0] += t.call || t.verdict > Verdict::compile_error;
      passed[1] += t.call;
      passed[2] += t.call && t.verdict >= Verdict::wrong_value_outlier;
      passed[3] += t.call && t.verdict > Verdict::wrong_value_outlier;
      passed[4] += t.correct();
    }
    if (t.paper_judged()) {
      paper_judged++;
      paper_call += t.paper_call();
      paper_correct += t.paper_correct();
    }
  }
};

std::vector<Cell> row_of(const std::string& name, const StageCounts& c) {
  std::vector<Cell> row = {word(name), count(c.judged)};
  for (int64_t n : c.passed) row.push_back(share_of(n, c.judged));
  row.push_back(share_of(c.paper_call, c.paper_judged));
  row.push_back(share_of(c.paper_correct, c.paper_judged));
  return row;
}

Section stages(const Study& s, const std::string& by, const Names& names, int Trial::*group) {
  Table t{"stages_by_" + by, "Stages by " + by,
          {{by, by}, {"judged", "judged"}, {"compile", "compile"}, {"call", "call"}, {"standard", "standard"}, {"outlier", "outlier"}, {"correct", "correct"},
           {"paper_call", "paper: call"}, {"paper_correct", "paper: correct"}}, {}, {}, ""};
  std::vector<StageCounts> counts(size_t(names.size()));
  StageCounts all;
  for (const Trial& trial : s.trials) {
    if (!trial.counts) continue;
    counts[size_t(trial.*group)].add(trial);
    all.add(trial);
  }
  Chart chart{Chart::Kind::bars, t.id, "Share by " + by, by, "share of judged candidates", {}, {{"call", {}}, {"correct", {}}, {"paper: correct", {}}}, false, true};
  for (int k : names.sorted()) {
    if (!counts[size_t(k)].judged && !counts[size_t(k)].paper_judged) continue;
    t.rows.push_back(row_of(names[k], counts[size_t(k)]));
    chart.labels.push_back(names[k]);
    const auto& row = t.rows.back();
    for (size_t c = 0; c < 3; c++)
      if (const Cell& cell = row[c == 0 ? 3 : c == 1 ? 6 : 8]; cell.value)
        chart.series[c].points.push_back({double(chart.labels.size() - 1), *cell.value, cell.low, cell.high});
  }
  if (t.rows.size() > 1) t.rows.push_back(row_of("all", all));
  if (t.rows.empty()) t.lacking = "no candidate was judged";
  t.notes = {"Each stage holds those before it. compile: every kernel that the first case launches was compiled, and nothing forbidden was found. standard, outlier: all values right on those inputs. "
             "paper: the published rules on the same candidates.",
             "Intervals: Wilson, 95 %, as if candidates were independent; several candidates of one task are not, and then the intervals are too narrow."};
  if (chart.labels.empty()) return {std::move(t), {}};
  return {std::move(t), std::move(chart)};
}

}  // namespace

Section stages_by_category(const Study& s) { return stages(s, "category", s.categories, &Trial::category); }
Section stages_by_method(const Study& s) { return stages(s, "method", s.methods, &Trial::method); }

}  // namespace kbx::report
