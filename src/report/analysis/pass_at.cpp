// pass@k: see analyses.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/analysis/analyses.h"
#include "stats/task_means.h"

namespace kbx::report {
namespace {

// Where all tasks have the same figure the bootstrap sees no spread: none or all of n tasks, by Wilson.
Cell cell_of(const std::optional<stats::PassAtK>& p) {
  if (!p) return missing("fewer than three tasks");
  const stats::Estimate& e = p->mean;
  if (e.interval.low < e.interval.high || (e.value > 0 && e.value < 1)) return between(Form::share, e.value, e.interval.low, e.interval.high);
  return share_of(e.value > 0 ? p->tasks : 0, p->tasks);
}

constexpr int64_t kShown[] = {1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100};

}  // namespace

Section pass_at_table(const Study& s) {
  Table t{"pass_at_k", "pass@k", {{"method", "method"}, {"k", "k"}, {"tasks", "tasks with k samples"}, {"left_out", "tasks with fewer"}, {"pass", "pass@k"}, {"paper_pass", "paper: pass@k"}}, {}, {}, ""};
  std::map<int, std::map<int, std::array<stats::TaskSamples, 2>>> methods;  // method -> task -> by kbx, by the published rules
  for (const Trial& trial : s.trials) {
    if (!trial.counts) continue;
    auto& [kbx, paper] = methods[trial.method][trial.task];
    kbx.samples += trial.judged();
    kbx.correct += trial.correct();
    paper.samples += trial.paper_judged();
    paper.correct += trial.paper_correct();
  }
  Chart chart{Chart::Kind::lines, "pass_at_k", "pass@k", "k", "share of tasks", {}, {}, false, true};
  for (const auto& [method, tasks] : methods) {
    std::vector<stats::TaskSamples> kbx, paper;
    for (const auto& [task, counts] : tasks) {
      kbx.push_back(counts[0]);
      paper.push_back(counts[1]);
    }
    auto pass = [&](const std::vector<stats::TaskSamples>& counts, int64_t k) { return stats::mean_pass_at_k(counts, k, {.seed = 1, .stream = uint64_t(k), .replicates = 1000}); };
    Series series{s.methods[method], {}};
    for (int64_t k : kShown) {
      auto p = pass(kbx, k), q = pass(paper, k);
      if (!p && k > 1) break;
      t.rows.push_back({word(s.methods[method]), count(k), count(p ? p->tasks : std::ranges::count_if(kbx, [](const auto& c) { return c.samples > 0; })), count(p ? p->left_out : 0), cell_of(p), cell_of(q)});
      if (p) series.points.push_back({double(k), p->mean.value, p->mean.interval.low, p->mean.interval.high});
    }
    if (series.points.size() > 1) chart.series.push_back(std::move(series));
  }
  if (t.rows.empty()) t.lacking = "no candidate was judged";
  t.notes = {"Unbiased (Chen et al. 2021), the mean over tasks that have at least k samples; interval: bootstrap over tasks, 95 %. Of methods that work in rounds the answer is the one sample."};
  if (chart.series.empty()) return {std::move(t), {}};
  return {std::move(t), std::move(chart)};
}

}  // namespace kbx::report
