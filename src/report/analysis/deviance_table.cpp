// Explained deviance: see analyses.h.
#include <fmt/format.h>

#include <functional>

#include "report/analysis/analyses.h"
#include "stats/deviance.h"

namespace kbx::report {
namespace {

constexpr int kPermutations = 500;

struct Outcome {
  const char* name;
  bool (*counts)(const Trial&);
  bool (*success)(const Trial&);
};
constexpr Outcome kOutcomes[] = {
    {"correct", [](const Trial& t) { return t.judged(); }, [](const Trial& t) { return t.correct(); }},
    {"call", [](const Trial& t) { return t.judged(); }, [](const Trial& t) { return t.call; }},
    {"paper: correct", [](const Trial& t) { return t.paper_judged(); }, [](const Trial& t) { return t.paper_correct(); }},
    {"paper: call", [](const Trial& t) { return t.paper_judged(); }, [](const Trial& t) { return t.paper_call(); }},
};

std::string_view separation_text(stats::Separation s) {
  return s == stats::Separation::none ? "" : s == stats::Separation::quasi ? "a level never or always succeeds" : "separated completely";
}

void add_rows(const Outcome& o, const Study& s, Table& t) {
  std::vector<stats::Trial> trials;
  for (const Trial& trial : s.trials)
    if (trial.counts && o.counts(trial)) trials.push_back({trial.category, trial.method, trial.task, o.success(trial)});
  std::optional<stats::DevianceTable> table;
  stats::TrialTable counted;
  if (!trials.empty()) {
    counted = stats::count_trials(trials);
    table = stats::analyse_deviance(counted);
  }
  if (!table) {
    t.notes.push_back(fmt::format("{}: nothing to explain: all or none of {} candidates succeeded, or there are fewer than two categories or methods.", o.name, trials.size()));
    return;
  }
  auto parts = stats::explained_shares(counted, {.seed = 1, .permutations = kPermutations, .replicates = 1000});
  for (const stats::ModelFit& m : table->models) {
    const stats::SharePart* part = nullptr;
    for (const stats::SharePart& p : parts)
      if (p.model == m.model) part = &p;
    Cell beyond = part ? between(Form::share, part->beyond_chance, part->interval.low, part->interval.high) : missing("too few tasks");
    // The same interval on the scale of the share: what chance takes is part of it.
    auto with_chance = [&](double end) { return part->by_chance + (1 - part->by_chance) * end; };
    Cell share = part ? between(Form::share, m.share, with_chance(part->interval.low), with_chance(part->interval.high)) : figure(Form::share, m.share);
    t.rows.push_back({word(o.name), word(std::string(stats::to_text(m.model))), count(int64_t(table->trials)), count(int64_t(table->successes)), count(m.parameters - 1), figure(Form::number, m.deviance),
                      share, figure(Form::share, m.adjusted), part ? figure(Form::share, part->by_chance) : missing("–"), beyond, part ? figure(Form::chance, part->p) : missing("–"),
                      word(std::string(separation_text(m.separation)))});
  }
}

void add_steps(const Outcome& o, const Study& s, Table& t) {
  std::vector<stats::Trial> trials;
  for (const Trial& trial : s.trials)
    if (trial.counts && o.counts(trial)) trials.push_back({trial.category, trial.method, trial.task, o.success(trial)});
  if (trials.empty()) return;
  auto table = stats::analyse_deviance(stats::count_trials(trials));
  if (!table) return;
  for (const stats::DevianceStep& step : table->steps)
    t.rows.push_back({word(o.name), word(std::string(stats::to_text(step.from))), word(std::string(stats::to_text(step.to))), count(step.degrees), figure(Form::number, step.drop), figure(Form::chance, step.p)});
}

}  // namespace

Section deviance_table(const Study& s) {
  Table t{"deviance", "Explained deviance of a binomial model",
          {{"outcome", "outcome"}, {"model", "model"}, {"candidates", "candidates"}, {"successes", "successes"}, {"parameters", "parameters"}, {"deviance", "deviance"}, {"share", "share explained"}, {"adjusted", "adjusted"},
           {"by_chance", "by chance"}, {"beyond", "beyond chance"}, {"p", "p, permuted"}, {"separation", "separation"}}, {}, {}, ""};
  for (const Outcome& o : kOutcomes) add_rows(o, s, t);
  if (t.rows.empty()) {
    t.lacking = "no outcome varies over two categories and two methods";
    return {std::move(t), {}};
  }
  t.notes.push_back("Share: 1 - deviance / null deviance. By chance: the same share after 500 permutations of the labels (whole tasks change category, methods change places within a task): more parameters explain more by "
                    "chance alone. Beyond chance: (share - by chance) / (1 - by chance), interval by a bootstrap over tasks; the share's own is the same, with what chance takes put back. docs/statistics.md.");
  return {std::move(t), {}};
}

Section deviance_steps_table(const Study& s) {
  Table t{"deviance_steps", "Analysis of deviance", {{"outcome", "outcome"}, {"from", "from"}, {"to", "to"}, {"degrees", "degrees"}, {"drop", "deviance"}, {"p", "p, chi-square"}}, {}, {}, ""};
  for (const Outcome& o : kOutcomes) add_steps(o, s, t);
  if (t.rows.empty()) t.lacking = "no outcome varies over two categories and two methods";
  else t.notes = {"The chi-square distribution takes candidates as independent, which candidates of one task are not: read the permuted p of the table before."};
  return {std::move(t), {}};
}

}  // namespace kbx::report
