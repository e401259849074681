// Efforts and answers of generation runs: see the header.
#include "report/analysis/effort.h"

#include <map>

#include "report/analysis/study.h"
#include "store/effort.h"
#include "store/generation.h"

namespace kbx::report {
namespace {

// The trial of a task for which the method gave nothing to judge.
Trial nothing_given(const Runs::Run& run, int run_id, const std::string& task, Study& study) {
  Trial t;
  t.run = run_id;
  t.source = study.sources.of(run.label);
  t.task = study.tasks.of(task);
  t.category = -1;
  for (const Trial& other : study.trials)
    if (other.task == t.task) t.category = other.category;
  if (t.category < 0) t.category = study.categories.of("unknown");
  t.method = study.methods.of(method_of({}, run.label, run.facts, task).name);
  t.verdict = t.paper = Verdict::no_code;
  return t;
}

void add_answer(const Runs::Run& run, int run_id, const store::AnswerRow& answer, const std::unordered_map<std::string, int>& by_candidate, std::map<int, TaskEffort>& efforts, Study& study) {
  TaskEffort& effort = efforts[study.tasks.of(answer.task)];
  std::vector<std::string> given = answer.samples.empty() ? std::vector<std::string>{answer.candidate} : answer.samples;
  for (const std::string& candidate : given) {
    auto at = by_candidate.find(candidate);
    if (at == by_candidate.end()) {
      study.trials.push_back(nothing_given(run, run_id, answer.task, study));
      continue;
    }
    Trial& t = study.trials[size_t(at->second)];
    t.counts = true;
    effort.solved |= t.correct();
  }
}

}  // namespace

Result<void> add_generation(const Runs::Run& run, int run_id, const std::unordered_map<std::string, int>& by_candidate, Study& study) {
  KBX_TRY_ASSIGN(auto generation, store::Generation::open_for_reading(run.store));
  if (generation.empty()) return {};
  std::map<int, TaskEffort> efforts;
  KBX_TRY(store::each_effort(run.store, [&](const store::EffortRow& row) {
    TaskEffort& e = efforts[study.tasks.of(row.task)];
    if (row.call) {
      e.calls++;
      e.tokens += row.tokens_in + row.tokens_out;
      e.estimated |= row.estimated;
      e.usd += row.usd.value_or(0);
      e.priced &= row.usd.has_value();
      e.call_seconds += row.seconds;
      return;
    }
    e.evaluations++;
    e.eval_seconds += row.seconds;
    e.gpu_seconds += row.gpu_seconds;
    auto at = by_candidate.find(std::string(row.candidate));
    if (e.calls_to_solve || at == by_candidate.end() || !study.trials[size_t(at->second)].correct()) return;
    e.calls_to_solve = e.calls;
    e.tokens_to_solve = e.tokens;
  }));
  for (const auto& [candidate, trial] : by_candidate) study.trials[size_t(trial)].counts = false;
  KBX_TRY_ASSIGN(auto answers, generation.answers());
  for (const auto& answer : answers) add_answer(run, run_id, answer, by_candidate, efforts, study);
  int method = by_candidate.empty() ? study.methods.of(method_of({}, run.label, run.facts, "").name) : study.trials[size_t(by_candidate.begin()->second)].method;
  for (auto& [task, effort] : efforts) {
    effort.run = run_id;
    effort.task = task;
    effort.method = method;
    study.efforts.push_back(std::move(effort));
  }
  return {};
}

}  // namespace kbx::report
