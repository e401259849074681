// What solving costs, and results at equal budget: see analyses.h.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "report/analysis/analyses.h"
#include "stats/bootstrap.h"

namespace kbx::report {
namespace {

constexpr const char* kNoEffort = "no run holds calls to models (kbx run stores them)";

using ByMethod = std::map<int, std::vector<const TaskEffort*>>;
ByMethod by_method(const Study& s) {
  ByMethod out;
  for (const TaskEffort& e : s.efforts) out[e.method].push_back(&e);
  return out;
}

// Sum over tasks / solved tasks, interval by a bootstrap over tasks.
template <class F>
Cell per_solved(const std::vector<const TaskEffort*>& tasks, Form form, F cost) {
  auto statistic = [&](std::span<const size_t> chosen) -> std::optional<std::vector<double>> {
    double sum = 0, solved = 0;
    for (size_t k : chosen) {
      sum += double(cost(*tasks[k]));
      solved += tasks[k]->solved;
    }
    if (solved == 0) return std::nullopt;
    return std::vector<double>{sum / solved};
  };
  auto result = stats::cluster_bootstrap(tasks.size(), statistic, {.seed = 1});
  if (!result.empty()) return between(form, result[0].value, result[0].bca.low, result[0].bca.high);
  return missing(std::none_of(tasks.begin(), tasks.end(), [](const TaskEffort* e) { return e->solved; }) ? "none solved" : "too few solved");
}

}  // namespace

Section cost_table(const Study& s) {
  Table t{"cost", "Cost per solved task",
          {{"method", "method"}, {"tasks", "tasks"}, {"solved", "solved"}, {"calls", "calls"}, {"tokens", "tokens"}, {"usd", "US dollars"}, {"calls_per_solved", "calls a solved task"}, {"tokens_per_solved", "tokens"},
           {"usd_per_solved", "dollars"}, {"model_seconds", "seconds of models"}, {"eval_seconds", "of evaluation"}, {"gpu_seconds", "of a card"}}, {}, {}, ""};
  bool estimated = false;
  for (const auto& [method, tasks] : by_method(s)) {
    int64_t solved = 0, calls = 0, tokens = 0;
    double usd = 0, gpu_seconds = 0;
    bool priced = true;
    for (const TaskEffort* e : tasks) {
      solved += e->solved;
      calls += e->calls;
      tokens += e->tokens;
      usd += e->usd;
      gpu_seconds += e->gpu_seconds;
      priced &= e->priced;
      estimated |= e->estimated;
    }
    Cell dollars = priced ? figure(Form::number, usd) : missing("a price is not known");
    t.rows.push_back({word(s.methods[method]), count(int64_t(tasks.size())), share_of(solved, int64_t(tasks.size())), count(calls), count(tokens), dollars,
                      per_solved(tasks, Form::number, [](const TaskEffort& e) { return e.calls; }), per_solved(tasks, Form::number, [](const TaskEffort& e) { return e.tokens; }),
                      priced ? per_solved(tasks, Form::number, [](const TaskEffort& e) { return e.usd; }) : dollars, per_solved(tasks, Form::seconds, [](const TaskEffort& e) { return e.call_seconds; }),
                      per_solved(tasks, Form::seconds, [](const TaskEffort& e) { return e.eval_seconds; }), gpu_seconds > 0 ? per_solved(tasks, Form::seconds, [](const TaskEffort& e) { return e.gpu_seconds; }) : missing("no card")});
  }
  if (t.rows.empty()) t.lacking = kNoEffort;
  else t.notes = {"All tasks' cost over solved tasks: failures are paid for. Solved: an answer is correct. Intervals: bootstrap over tasks, 95 %."};
  if (estimated) t.notes.push_back("Some servers did not say their tokens: those are estimated.");
  return {std::move(t), {}};
}

Section equal_budget_table(const Study& s) {
  constexpr double kTokens[] = {10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6};
  Table t{"equal_budget", "Tasks solved within a budget of tokens a task", {{"method", "method"}, {"tasks", "tasks"}}, {}, {}, ""};
  auto methods = by_method(s);
  int64_t most = 0, least = std::numeric_limits<int64_t>::max();  // what a task took at most, and until the cheapest was solved
  for (const auto& [method, tasks] : methods)
    for (const TaskEffort* e : tasks) {
      most = std::max(most, e->tokens);
      least = std::min(least, e->tokens_to_solve.value_or(e->tokens));
    }
  Chart chart{Chart::Kind::lines, "equal_budget", "Tasks solved within a budget", "tokens a task", "share of tasks", {}, {}, true, true};
  std::vector<double> budgets;  // from the last that solves nothing to the first that is all
  for (double b : kTokens)
    if (2.5 * b >= double(least) && (budgets.empty() || budgets.back() < double(most))) budgets.push_back(b);
  if (budgets.empty()) budgets.push_back(std::end(kTokens)[-1]);
  for (double b : budgets) t.columns.push_back({fmt::format("tokens_{:.0f}", b), b < 1000 ? fmt::format("{:g}", b) : fmt::format("{:g} k", b / 1000)});
  for (const auto& [method, tasks] : methods) {
    std::vector<Cell> row = {word(s.methods[method]), count(int64_t(tasks.size()))};
    Series series{s.methods[method], {}};
    for (double b : budgets) {
      int64_t solved = std::count_if(tasks.begin(), tasks.end(), [&](const TaskEffort* e) { return e->tokens_to_solve && double(*e->tokens_to_solve) <= b; });
      row.push_back(share_of(solved, int64_t(tasks.size())));
      series.points.push_back({b, *row.back().value, row.back().low, row.back().high});
    }
    t.rows.push_back(std::move(row));
    chart.series.push_back(std::move(series));
  }
  if (t.rows.empty()) {
    t.lacking = kNoEffort;
    return {std::move(t), {}};
  }
  t.notes = {"Tokens in and out of all calls of a task until its first correct candidate had been judged. A method that stops early is not charged for what it did not use, and gains nothing from more."};
  return {std::move(t), std::move(chart)};
}

}  // namespace kbx::report
