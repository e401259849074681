// Following a recorded order: a result that comes too early is held back until those before it were seen.
#include <algorithm>

#include "generate/scheduler.h"

namespace kbx::generate {
namespace {

template <typename Map>
bool holds(const Map& open_ones, const Step& step) {
  for (const auto& [id, open] : open_ones)
    if (step.stopped == open.cancelled && step.same(step_of(id, open))) return true;
  return false;
}

}  // namespace

// What the order has further on begins at once, for judging takes long; but the same code is judged once, and what was
// copied from an earlier verdict is copied when its turn comes.
bool Scheduler::may_begin(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open) const {
  const Step* next = due(run);
  if (!next) return true;
  Step step = step_of(id, open);
  if (next->same(step)) return true;
  return ahead(run, step) && !usable(run.known(open.code)) && !run.followers.contains(open.code);
}

// The verdict in the store is this run's own; the loop learns what it learned then, or its questions would be others.
void Scheduler::tell_as_recorded(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open, agent::Feedback& feedback) {
  const Step* next = due(run);
  if (!next || !next->feedback.is_object() || !next->same(step_of(id, open))) return;
  agent::Feedback then = agent::feedback_from(next->feedback);
  if (then.verdict != feedback.verdict)
    with_.tape->note(agent::to_text(id) + ": judged " + std::string(to_text(feedback.verdict)) + ", and " + std::string(to_text(then.verdict)) + " when it was recorded");
  then.key = feedback.key;
  feedback = std::move(then);
}

Result<bool> Scheduler::follow_all() {
  if (!with_.tape) return false;
  bool more = false;
  for (TaskRun& run : runs_) {
    for (bool again = true; again && !over_.contains(run.task().name);) {
      KBX_TRY_ASSIGN(again, follow(run));
      more |= again;
    }
  }
  return more;
}

Result<bool> Scheduler::follow(TaskRun& run) {
  const Step* next = due(run);
  if (!next) return release(run);
  run.follows = true;
  if (next->kind == Step::Kind::out_of_budget) {
    if (run.told_out_of_budget) with_.tape->leave(run.task().name);
    else KBX_TRY(tell_out_of_budget(run));
    return true;
  }
  bool call = next->kind == Step::Kind::call;
  if (!(call ? holds(run.calls(), *next) : holds(run.evaluations(), *next))) {
    with_.tape->leave(run.task().name);  // this run goes another way
    return true;
  }
  auto is_next = [&](const auto& h) { return next->same(step_of(h.first, run.evaluations().at(h.first))); };
  auto early = std::find_if(run.held.begin(), run.held.end(), is_next);
  if (early == run.held.end()) return false;  // it is under way
  auto done = run.held.extract(early);
  KBX_TRY(judged(run, std::move(done.mapped())));
  return true;
}

Result<bool> Scheduler::release(TaskRun& run) {
  if (!std::exchange(run.follows, false)) return false;
  std::erase_if(run.calls(), [](const auto& c) { return c.second.cancelled && !c.second.started; });
  std::erase_if(run.evaluations(), [](const auto& e) { return e.second.cancelled && !e.second.started; });
  while (!run.held.empty()) {
    auto done = run.held.extract(run.held.begin());
    KBX_TRY(judged(run, std::move(done.mapped())));
  }
  KBX_TRY(after(run));
  return true;
}

}  // namespace kbx::generate
