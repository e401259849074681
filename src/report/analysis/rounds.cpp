// Iteration: see analyses.h.
#include "report/analysis/rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/analysis/analyses.h"
#include "stats/paired.h"

namespace kbx::report {
namespace {

constexpr const char* kNoRounds = "no run holds candidates of two rounds (ids TASK/ROUND/SLOT/STEP, as kbx run gives them)";

size_t rounds_in(const TaskRounds& tasks) {
  size_t n = 0;
  for (const auto& [task, rounds] : tasks) n = std::max(n, rounds.size());
  return n;
}

std::vector<Cell> round_row(const std::string& method, const TaskRounds& tasks, size_t round) {
  int64_t judged = 0, called = 0, correct = 0, reached_call = 0, reached = 0;
  std::vector<double> now, best;
  for (const auto& [task, rounds] : tasks) {
    bool any_call = false, any = false;
    std::optional<double> fastest;
    for (size_t k = 0; k <= round && k < rounds.size(); k++) {
      if (!rounds[k]) continue;
      any_call |= rounds[k]->called > 0;
      any |= rounds[k]->correct > 0;
      if (rounds[k]->speedup) fastest = std::max(fastest.value_or(0), *rounds[k]->speedup);
    }
    reached_call += any_call;
    reached += any;
    if (fastest) best.push_back(*fastest);
    if (round >= rounds.size() || !rounds[round]) continue;
    judged += rounds[round]->judged;
    called += rounds[round]->called;
    correct += rounds[round]->correct;
    if (rounds[round]->speedup) now.push_back(*rounds[round]->speedup);
  }
  auto n = int64_t(tasks.size());
  return {word(method), count(int64_t(round)), count(judged), share_of(called, judged), share_of(correct, judged), geometric(now), count(n), share_of(reached_call, n), share_of(reached, n), geometric(best)};
}

std::vector<Cell> transition_row(const std::string& method, const TaskRounds& tasks, size_t from) {
  int64_t rescued = 0, persistent = 0, regressed = 0, failing = 0, untried = 0;
  std::vector<double> rescued_speed, persistent_speed, gain;
  for (const auto& [task, rounds] : tasks) {
    const RoundState* before = from < rounds.size() && rounds[from] ? &*rounds[from] : nullptr;
    const RoundState* after = from + 1 < rounds.size() && rounds[from + 1] ? &*rounds[from + 1] : nullptr;
    if (!before || !after) {
      untried++;
      continue;
    }
    bool was = before->correct > 0, is = after->correct > 0;
    rescued += !was && is;
    persistent += was && is;
    regressed += was && !is;
    failing += !was && !is;
    if (!after->speedup) continue;
    (was ? persistent_speed : rescued_speed).push_back(*after->speedup);
    if (was && before->speedup) gain.push_back(*after->speedup / *before->speedup);
  }
  return {word(method), word(fmt::format("{} to {}", from, from + 1)), count(rescued), count(persistent), count(regressed), count(failing), count(untried),
          figure(Form::chance, rescued + regressed ? std::optional(stats::mcnemar_exact(rescued, regressed)) : std::nullopt, "no change"), geometric(rescued_speed), geometric(persistent_speed), geometric(gain)};
}

}  // namespace

std::map<int, TaskRounds> rounds_of(const Study& s) {
  std::map<int, TaskRounds> out;
  for (const Trial& t : s.trials) {
    if (!t.place || t.place->round > 1000) continue;
    auto& rounds = out[t.method][t.task];
    if (rounds.size() <= size_t(t.place->round)) rounds.resize(size_t(t.place->round) + 1);
    auto& state = rounds[size_t(t.place->round)];
    if (!state) state.emplace();
    state->candidates++;
    if (!t.judged()) continue;
    state->judged++;
    state->called += t.call;
    state->correct += t.correct();
    if (t.timed < 0) continue;
    if (auto v = s.timed[size_t(t.timed)].speedup; v && v > state->speedup) state->speedup = v;
  }
  std::erase_if(out, [](const auto& item) { return rounds_in(item.second) < 2; });
  return out;
}

namespace {

void note_cards(const Study& s, Table& t) {
  if (s.gpus.size() > 1) t.notes.push_back(fmt::format("Candidates of {} GPUs stand together here, each once a GPU; a speedup is the best of them. For one card's rounds analyse its run alone.", s.gpus.size()));
}

}  // namespace

Section rounds_table(const Study& s) {
  Table t{"rounds", "Iteration, round by round",
          {{"method", "method"}, {"round", "round"}, {"candidates", "candidates"}, {"call", "call"}, {"correct", "correct"}, {"speedup", "speedup of its correct"}, {"tasks", "tasks"},
           {"call_so_far", "tasks called so far"}, {"correct_so_far", "tasks correct so far"}, {"best_so_far", "best speedup so far"}}, {}, {}, ""};
  Chart chart{Chart::Kind::lines, "rounds", "Tasks correct so far", "round", "share of tasks", {}, {}, false, true};
  for (const auto& [method, tasks] : rounds_of(s)) {
    Series series{s.methods[method], {}};
    for (size_t r = 0; r < rounds_in(tasks); r++) {
      t.rows.push_back(round_row(s.methods[method], tasks, r));
      if (const Cell& c = t.rows.back()[8]; c.value) series.points.push_back({double(r), *c.value, c.low, c.high});
    }
    chart.series.push_back(std::move(series));
  }
  t.notes = {"Candidates of one task and round are not independent: of the shares, those over tasks have honest intervals (Wilson, 95 %).",
             "The mean speedup of a round is over other kernels in each round: those that are easy are right first, so it can fall while no kernel becomes slower. The next table holds the same kernels before and after."};
  if (t.rows.empty()) {
    t.lacking = kNoRounds;
    t.notes.clear();
    return {std::move(t), {}};
  }
  note_cards(s, t);
  return {std::move(t), std::move(chart)};
}

Section transitions_table(const Study& s) {
  Table t{"transitions", "Tasks from one round to the next",
          {{"method", "method"}, {"rounds", "rounds"}, {"rescued", "rescued"}, {"persistent", "persistent"}, {"regressed", "regressed"}, {"failing", "still wrong"}, {"untried", "not in both"}, {"p", "p of rescued = regressed"},
           {"rescued_speedup", "speedup of rescued"}, {"persistent_speedup", "of persistent"}, {"gain", "persistent, after / before"}}, {}, {}, ""};
  for (const auto& [method, tasks] : rounds_of(s))
    for (size_t r = 0; r + 1 < rounds_in(tasks); r++) t.rows.push_back(transition_row(s.methods[method], tasks, r));
  if (t.rows.empty()) {
    t.lacking = kNoRounds;
  } else {
    t.notes = {"A task is correct in a round when any of its candidates there is. p: McNemar's exact test on tasks.",
               "Rescued kernels are chosen by having failed: their speedup is that of harder tasks, not of the round. Iteration's own effect on speed is in the last column: the same tasks, geometric mean of ratios."};
    note_cards(s, t);
  }
  return {std::move(t), {}};
}

}  // namespace kbx::report
