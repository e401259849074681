// The quantization tasks, by metric and contract: see analyses.h.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "report/analysis/analyses.h"

namespace kbx::report {
namespace {

struct Row {
  int64_t judged = 0, values = 0, correct = 0, contract = 0, paper = 0, paper_judged = 0, not_run = 0;
  std::map<std::string, int64_t> by_metric;  // candidates whose first wrong output names it
  std::vector<double> cosine, l1, rel_rmse, rmse;
};

}  // namespace

Section quantization_table(const Study& s) {
  Table t{"quantization", "Quantization, by metric and contract",
          {{"task", "task"}, {"method", "method"}, {"judged", "judged"}, {"no_values", "gave no values"}, {"contract", "values right, not quantized"}, {"correct", "correct"}, {"paper", "paper: correct"},
           {"cosine", "cosine, median"}, {"l1", "L1 relative"}, {"rel_rmse", "RMSE / RMS"}, {"rmse", "RMSE"}, {"failed_by", "failed by"}}, {}, {}, ""};
  std::map<std::pair<std::string, std::string>, Row> rows;
  std::vector<const Trial*> counted;
  for (const Trial& trial : s.trials) {
    if (!trial.counts || s.categories[trial.category] != "quantization") continue;
    Row& r = rows[{s.tasks[trial.task], s.methods[trial.method]}];
    if (trial.judged()) {
      r.judged++;
      r.correct += trial.correct();
      r.contract += trial.verdict == Verdict::contract_violation;
      r.not_run += trial.verdict < Verdict::wrong_structure;
      if ((trial.verdict == Verdict::wrong_value || trial.verdict == Verdict::wrong_value_outlier) && trial.kind >= 0) r.by_metric[s.kinds[trial.kind]]++;
    }
    r.paper_judged += trial.paper_judged();
    r.paper += trial.paper_correct();
  }
  for (const Quantized& q : s.quantized) {
    const Trial& trial = s.trials[size_t(q.trial)];
    if (!trial.counts) continue;
    Row& r = rows[{s.tasks[trial.task], s.methods[trial.method]}];
    for (auto [list, value] : {std::pair{&r.cosine, q.cosine}, {&r.l1, q.l1_rel}, {&r.rel_rmse, q.rel_rmse}, {&r.rmse, q.rmse}})
      if (!std::isnan(value)) list->push_back(value);
  }
  for (const auto& [key, r] : rows) {
    std::string failed;
    for (const auto& [metric, n] : r.by_metric) failed += fmt::format("{}{} {}", failed.empty() ? "" : ", ", metric, n);
    t.rows.push_back({word(key.first), word(key.second), count(r.judged), count(r.not_run), share_of(r.contract, r.judged), share_of(r.correct, r.judged), share_of(r.paper, r.paper_judged), median(Form::number, r.cosine),
                      median(Form::number, r.l1), median(Form::number, r.rel_rmse), median(Form::number, r.rmse), word(failed)});
  }
  if (t.rows.empty()) t.lacking = "no candidate of a quantization task";
  t.notes = {"kbx bounds the RMSE by the RMS of the reference and asks that the scheme was carried out (docs/oracles.md); the published bounds are absolute, and on most of these tasks an honest kernel cannot meet them.",
             "Metrics: over all outputs of all cases that gave values, standard and outlier inputs together."};
  return {std::move(t), {}};
}

}  // namespace kbx::report
