// The end of a task, and of a run that was told to stop.
#include <fmt/format.h>

#include "base/hash.h"
#include "generate/scheduler.h"

namespace kbx::generate {

Result<void> Scheduler::show(const TaskRun& run) {
  TaskView view;
  view.task = run.task().name;
  Json state = run.loop().state();
  view.round = int(get_int(state, "round").value_or(0));
  view.state = get_string(state, "state").value_or("");
  view.verdict = run.last_verdict();
  view.spent = with_.ledger.of_task(view.task);
  with_.watcher.changed(view);
  return {};
}

// The answer, and every sample that counts, must have been judged; what was not is judged now.
Result<void> Scheduler::finish(TaskRun& run) {
  const agent::Finish& end = *run.finish();
  const std::string& task = run.task().name;
  if (over_.contains(task)) return {};
  agent::EvalId answer{task, -1, 0, 0};
  std::string code = end.code.empty() ? "" : sha256_hex(end.code);
  if (end.chosen) answer = *end.chosen;
  else if (const auto* known = code.empty() ? nullptr : run.known(code)) answer = known->id;
  bool opened = false;
  auto need = [&](const agent::EvalId& id, agent::Evaluate what) {
    if (run.judged(id) || run.evaluations().contains(id)) return;
    what.id = id;
    std::string hash = sha256_hex(what.code);
    run.evaluations().emplace(id, OpenEvaluation{std::move(what), hash, false, false, false});
    opened = true;
  };
  if (!end.code.empty()) need(answer, agent::Evaluate{answer, end.code, "answer", false, {}, true});
  for (const agent::Evaluate& s : end.samples) need(s.id, s);
  if (opened) {
    run.catch_up();
    KBX_TRY(evaluate_open(run));
  }
  if (!run.evaluations().empty() || !run.calls().empty() || over_.contains(task)) return {};
  store::AnswerRow row;
  row.task = task;
  row.candidate = end.code.empty() ? "" : agent::to_text(answer);
  KBX_TRY_ASSIGN(row.code, with_.journal.put_text(end.code));
  row.why = end.why;
  row.cut_short = end.cut_short;
  for (const agent::Evaluate& s : end.samples) row.samples.push_back(agent::to_text(s.id));
  if (row.samples.empty() && !row.candidate.empty()) row.samples.push_back(row.candidate);
  KBX_TRY(with_.journal.write(row));
  KBX_TRY_ASSIGN(TaskEnd out, end_of(run.task(), row));
  out.seconds = seconds_since(begun_[task]);
  ends_.insert_or_assign(task, std::pair{run.index(), out});
  with_.watcher.finished(out);
  over_.insert(task);
  return {};
}

Result<TaskEnd> Scheduler::end_of(const Task& task, const store::AnswerRow& answer) {
  TaskEnd end;
  end.task = task.name;
  end.category = task.category;
  end.why = answer.why;
  end.cut_short = answer.cut_short;
  end.candidate = answer.candidate;
  end.spent = with_.ledger.of_task(task.name);
  for (const std::string& sample : answer.samples) {
    KBX_TRY_ASSIGN(auto record, with_.journal.store().find(sample));
    if (!record) continue;
    end.samples++;
    end.correct += record->verdict == Verdict::correct;
  }
  if (answer.candidate.empty()) return end;
  KBX_TRY_ASSIGN(auto record, with_.journal.store().find(answer.candidate));
  if (!record) return end;
  end.verdict = record->verdict;
  if (record->timing) end.speedup = record->timing->speedup;
  return end;
}

// What has not begun, and what waits for another try, is forgotten: a resumed run begins it.
Result<void> Scheduler::drop_queued() {
  asks_.clear();
  with_.client.wind_down();
  for (TaskRun& run : runs_) {
    std::vector<agent::EvalId> waiting;
    for (auto& [id, open] : run.evaluations())
      if (open.started) waiting.push_back(id);
    for (const agent::EvalId& id : waiting)
      if (with_.evaluator.cancel(id)) {
        evaluations_flying_--;
        run.evaluations().erase(id);
      }
  }
  return {};
}

void Scheduler::wait_for_flying() {
  for (TaskRun& run : runs_) {
    for (auto& [id, open] : run.calls())
      if (open.started) with_.client.cancel(id);
    for (auto& [id, open] : run.evaluations())
      if (open.started && with_.evaluator.cancel(id)) evaluations_flying_--;
  }
  while (calls_flying_ > 0 || evaluations_flying_ > 0)
    for (Arrival& a : inbox_.take(std::chrono::milliseconds(200))) (std::holds_alternative<llm::Exchange>(a) ? calls_flying_ : evaluations_flying_)--;
}

}  // namespace kbx::generate
