#include "generate/scheduler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "generate/call_key.h"
#include "generate/exchange_json.h"

namespace kbx::generate {
namespace {

ChatResult budget_error() {
  ApiError error;
  error.fault = ApiFault::budget;
  error.type = "budget";
  error.message = "the budget is used up";
  return error;
}

// Stopped by us, or by a provider that answers nobody any more: no answer to the question.
bool is_unanswered(const ChatResult& result) {
  const auto* error = std::get_if<ApiError>(&result);
  return error && (error->fault == ApiFault::cancelled || error->stops_provider);
}

}  // namespace

Scheduler::Scheduler(Surroundings with, Work work) : with_(std::move(with)), work_(std::move(work)) {}

Result<Ending> Scheduler::run() {
  KBX_TRY(recover());
  for (;;) {
    auto done = turn();
    if (!done) {
      wait_for_flying();
      return tl::unexpected(done.error());
    }
    bool more = !runs_.empty() || (next_ < work_.tasks.size() && !ending_.out_of_budget);
    if (!more || (winding_down() && calls_flying_ == 0 && evaluations_flying_ == 0)) break;
    if (calls_flying_ == 0 && evaluations_flying_ == 0 && asks_.empty() && (next_ >= work_.tasks.size() || ending_.out_of_budget)) break;  // answers that will come another day
    for (Arrival& a : inbox_.take(std::chrono::milliseconds(200))) {
      auto taken = std::visit([&](auto& what) { return arrived(std::move(what)); }, a);
      if (taken) continue;
      wait_for_flying();
      return tl::unexpected(taken.error());
    }
    with_.watcher.tick();
  }
  for (auto& [task, end] : ends_) ending_.tasks.push_back(end.second);
  std::sort(ending_.tasks.begin(), ending_.tasks.end(), [&](const TaskEnd& a, const TaskEnd& b) { return ends_.at(a.task).first < ends_.at(b.task).first; });
  for (const TaskRun& r : runs_)
    if (auto why = missing_.find(r.task().name); why != missing_.end() && ending_.stopped.empty()) ending_.stopped = why->second;
  ending_.unfinished = int64_t(work_.tasks.size() - ends_.size());
  ending_.seconds = seconds_since(start_);
  return std::move(ending_);
}

// One round of everything that can begin now.
Result<void> Scheduler::turn() {
  std::erase_if(runs_, [&](const TaskRun& r) { return over_.contains(r.task().name); });
  over_.clear();
  if (winding_down()) return drop_queued();
  if (double wall = with_.ledger.budget().wall_seconds; wall > 0 && seconds_since(start_) > wall && !ending_.out_of_budget) KBX_TRY(end_budget());
  for (bool more = true; more;) {
    KBX_TRY(start_calls());
    KBX_TRY(begin_tasks());
    KBX_TRY_ASSIGN(more, follow_all());
  }
  std::erase_if(runs_, [&](const TaskRun& r) { return over_.contains(r.task().name); });
  over_.clear();
  return {};
}

Result<void> Scheduler::recover() {
  KBX_TRY(with_.journal.each_call([&](const store::CallRow& r) {
    with_.ledger.settle(r.id, r.usage, r.usd, r.replied, r.seconds, false);
    return true;
  }));
  KBX_TRY(with_.journal.each_evaluation([&](const store::EvaluationRow& r) {
    with_.ledger.gpu(r.task, r.gpu_seconds);
    return true;
  }));
  KBX_TRY_ASSIGN(auto answers, with_.journal.answers());
  for (auto& a : answers)
    if (!a.cut_short && !a.code.empty()) ended_before_.emplace(a.task, std::move(a));
  return {};
}

Result<void> Scheduler::begin_tasks() {
  auto busy = [&] { return int64_t(asks_.size()) + calls_flying_ >= with_.calls_at_a_time || evaluations_flying_ >= 4 * int64_t(with_.evaluations_at_a_time); };
  while (next_ < work_.tasks.size() && !ending_.out_of_budget && !busy() && !winding_down()) {
    const Task& task = *work_.tasks[next_];
    size_t index = next_++;
    if (auto before = ended_before_.find(task.name); before != ended_before_.end()) {
      KBX_TRY_ASSIGN(TaskEnd end, end_of(task, before->second));
      end.from_before = true;
      ends_.emplace(task.name, std::pair{index, end});
      with_.watcher.finished(end);
      continue;
    }
    KBX_TRY(begin(task, index));
    KBX_TRY(start_calls());
  }
  return {};
}

Result<void> Scheduler::begin(const Task& task, size_t index) {
  KBX_TRY_ASSIGN(auto loop, work_.make_loop(task));
  KBX_TRY_ASSIGN(auto past, with_.journal.past(task.name));
  begun_[task.name] = Steady::now();
  if (with_.tape) {
    KBX_TRY_ASSIGN(auto came, with_.journal.came(task.name));
    with_.tape->resume(task.name, came);
  }
  TaskRun& run = runs_.emplace_back(task, index, std::move(loop), std::move(past), [this](const ChatRequest& request) { return key_of(request); });
  run.follows = due(run) != nullptr;
  run.begin();
  return after(run);
}

TaskRun* Scheduler::find(const std::string& task) {
  for (TaskRun& r : runs_)
    if (r.task().name == task) return &r;
  return nullptr;
}

std::string Scheduler::key_of(const ChatRequest& request) const {
  auto model = with_.registry.models.find(request.model);
  return call_key(request, model == with_.registry.models.end() ? "" : model->second.id);
}

// Into the journal and the ledger, unless nothing came and nothing was used.
Result<void> Scheduler::keep(const llm::Exchange& exchange, const std::string& key) {
  Usage used = usage_of(exchange.result);
  if (is_unanswered(exchange.result) && !was_used(used)) {
    with_.ledger.release(exchange.request.id);
    return {};
  }
  auto model = with_.registry.models.find(exchange.request.model);
  std::optional<double> usd = model == with_.registry.models.end() ? std::nullopt : cost_of(used, model->second.price);
  KBX_TRY(with_.journal.write(exchange, key, usd));
  with_.ledger.settle(exchange.request.id, used, usd, std::holds_alternative<ChatReply>(exchange.result), seconds_of(exchange.result), true);
  return {};
}

Result<void> Scheduler::arrived(llm::Exchange exchange) {
  calls_flying_--;
  const CallId id = exchange.request.id;
  TaskRun* run = find(id.task);
  auto open = run ? run->calls().find(id) : std::map<CallId, OpenCall>::iterator();
  bool waited_for = run && open != run->calls().end();
  const auto* error = std::get_if<ApiError>(&exchange.result);
  bool unanswered = is_unanswered(exchange.result), cancelled = waited_for && open->second.cancelled;
  bool counts = !unanswered || (cancelled && !error->stops_provider && was_used(usage_of(exchange.result)));
  if (waited_for && counts) came(*run, {Step::Kind::call, to_text(id), open->second.key, cancelled});
  KBX_TRY(keep(exchange, waited_for ? open->second.key : key_of(exchange.request)));
  if (error && error->stops_provider && ending_.stopped.empty()) {
    ending_.stopped = error->message;
    with_.watcher.note(error->message);
  }
  if (!waited_for) return {};
  if (error && error->type == "cassette_miss") missing_.try_emplace(id.task, error->message);
  run->calls().erase(open);
  if (cancelled || unanswered) return after(*run);
  return hand_on(*run, agent::Replied{id, std::move(exchange.result)});
}

Result<void> Scheduler::arrived(ArrivedEvaluation done) {
  evaluations_flying_--;
  const agent::EvalId id = done.what.id;
  TaskRun* run = find(id.task);
  if (!run) return {};
  auto at = run->evaluations().find(id);
  KBX_CHECK(at != run->evaluations().end());
  Step step = step_of(id, at->second);
  if (const Step* next = due(*run); next && !next->same(step) && ahead(*run, step)) {
    run->held.emplace(id, std::move(done));
    return {};
  }
  return judged(*run, std::move(done));
}

Result<void> Scheduler::judged(TaskRun& run, ArrivedEvaluation done) {
  const agent::EvalId id = done.what.id;
  auto at = run.evaluations().find(id);
  OpenEvaluation open = std::move(at->second);
  // Begun early for a recorded order, which had another with this code before it.
  if (const auto* known = run.known(open.code); usable(known) && !open.what.code.empty()) return copy_known(run, done.what, std::move(open), *known);
  run.evaluations().erase(at);
  tell_as_recorded(run, id, open, done.judged.feedback);
  came(run, step_of(id, open, done.judged.feedback));
  KBX_TRY(with_.journal.write(done.what, done.judged, open.what.from));
  if (auto lease = done.judged.record.stage_seconds.find("gpu lease"); lease != done.judged.record.stage_seconds.end()) with_.ledger.gpu(id.task, lease->second);
  run.learn(id, open.code, done.judged.feedback, done.judged.record.job_key);
  auto followers = std::exchange(run.followers[open.code], {});
  run.followers.erase(open.code);
  for (const agent::EvalId& f : followers)
    if (auto waiting = run.evaluations().find(f); waiting != run.evaluations().end()) waiting->second.started = false;
  if (open.of_loop && !open.cancelled) return hand_on(run, agent::Evaluated{id, done.judged.feedback});
  return after(run);
}

Result<void> Scheduler::hand_on(TaskRun& run, const agent::Event& event) {
  run.take(event);
  return after(run);
}

Result<void> Scheduler::after(TaskRun& run) {
  for (const agent::Memory& m : run.take_memories()) {
    const TaskRun::Known* known = run.known_at(m.round, m.slot, m.code);
    KBX_TRY(with_.journal.write(m, run.task().name, known ? agent::to_text(known->id) : ""));
  }
  drop_cancelled(run);
  ask_open(run);
  KBX_TRY(evaluate_open(run));
  KBX_TRY(show(run));
  return run.finish() ? finish(run) : Result<void>();
}

// What the loop waits for no more ends, unless the recorded order has it.
void Scheduler::drop_cancelled(TaskRun& run) {
  for (const CallId& id : run.take_cancelled_calls()) {
    auto at = run.calls().find(id);
    if (at == run.calls().end()) continue;
    if (at->second.started) with_.client.cancel(id);
    else if (!ahead(run, step_of(id, at->second))) run.calls().erase(at);
  }
  for (const agent::EvalId& id : run.take_cancelled_evaluations()) {
    auto at = run.evaluations().find(id);
    if (at == run.evaluations().end() || ahead(run, step_of(id, at->second))) continue;
    if (!at->second.started) {
      run.evaluations().erase(at);
      continue;
    }
    auto followers = run.followers.find(at->second.code);
    if (followers != run.followers.end() && !followers->second.empty()) continue;  // others wait for this code
    if (!with_.evaluator.cancel(id)) continue;
    evaluations_flying_--;
    run.followers.erase(at->second.code);
    run.evaluations().erase(at);
  }
}

void Scheduler::ask_open(TaskRun& run) {
  const Step* next = due(run);
  for (auto& [id, open] : run.calls())
    if (!open.started && (!next || next->same(step_of(id, open))) && std::find(asks_.begin(), asks_.end(), std::pair{id.task, id}) == asks_.end()) asks_.emplace_back(id.task, id);
}

Result<void> Scheduler::evaluate_open(TaskRun& run) {
  if (winding_down()) return {};
  std::vector<agent::EvalId> ids;
  for (auto& [id, open] : run.evaluations())
    if (!open.started) ids.push_back(id);
  for (const agent::EvalId& id : ids)
    if (auto at = run.evaluations().find(id); at != run.evaluations().end() && !at->second.started) KBX_TRY(evaluate(run, id, at->second));
  return {};
}

Judging Scheduler::judging(const TaskRun& run, const agent::EvalId& id, const OpenEvaluation& open) const {
  Judging out;
  out.id = id;
  out.task = &run.task();
  out.ordinal = int64_t(run.index()) * 10'000'000 + int64_t(id.round) * 100'000 + int64_t(id.slot) * 1'000 + id.step;
  out.candidate.id = agent::to_text(id);
  out.candidate.task = run.task().name;
  out.candidate.sample = id.slot;
  out.candidate.source = open.what.code;
  out.candidate.reply = run.reply_of(open.what.from);
  out.candidate.how = open.what.how;
  out.candidate.truncated = open.what.truncated;
  return out;
}

// The same code is judged once: the others get a copy of the record under their own id.
Result<void> Scheduler::evaluate(TaskRun& run, const agent::EvalId& id, OpenEvaluation& open) {
  if (!may_begin(run, id, open)) return {};
  open.started = true;
  Judging what = judging(run, id, open);
  const TaskRun::Known* known = open.what.code.empty() ? nullptr : run.known(open.code);
  if (usable(known)) return copy_known(run, what, open, *known);
  const Step* next = due(run);
  if (auto leader = run.followers.find(open.code); leader != run.followers.end() && !(next && next->same(step_of(id, open)))) {
    leader->second.push_back(id);
    return {};
  }
  if (!open.what.code.empty()) run.followers[open.code];
  evaluations_flying_++;
  with_.evaluator.start(what, [this, what](Judged judged) { inbox_.put(ArrivedEvaluation{what, std::move(judged)}); });
  return {};
}

Result<void> Scheduler::copy_known(TaskRun& run, const Judging& what, OpenEvaluation open, TaskRun::Known known) {
  KBX_TRY_ASSIGN(auto record, with_.journal.store().find_key(known.job));
  if (!record) return fail(Code::store, "the run's journal names a record that is not there: " + known.job);
  Judged judged{std::move(*record), known.feedback};
  Record& r = judged.record;
  r.flags.push_back("judged as " + r.candidate + ", which has the same code");
  r.candidate = what.candidate.id;
  r.job_key = with_.evaluator.key_of(what);
  r.ordinal = what.ordinal;
  r.sample = what.candidate.sample;
  r.how = what.candidate.how;
  r.seconds = 0;
  r.stage_seconds.clear();
  judged.feedback.key = r.job_key;
  tell_as_recorded(run, what.id, open, judged.feedback);
  came(run, step_of(what.id, open, judged.feedback));
  KBX_TRY(with_.journal.write(what, judged, open.what.from));
  run.evaluations().erase(what.id);
  run.learn(what.id, open.code, judged.feedback, r.job_key);
  if (open.of_loop && !open.cancelled) return hand_on(run, agent::Evaluated{what.id, judged.feedback});
  return after(run);
}

Result<void> Scheduler::start_calls() {
  while (!asks_.empty() && calls_flying_ < with_.calls_at_a_time && !winding_down()) {
    auto [task, id] = asks_.front();
    TaskRun* run = find(task);
    auto open = run ? run->calls().find(id) : std::map<CallId, OpenCall>::iterator();
    if (!run || open == run->calls().end() || open->second.started) {  // cancelled since
      asks_.pop_front();
      continue;
    }
    auto model = with_.registry.models.find(open->second.request.model);
    if (model == with_.registry.models.end()) return fail(Code::usage, "no model is named " + open->second.request.model + " (kbx models)");
    bool free = with_.tape && with_.tape->only_plays();
    auto answer = free ? Ledger::Answer::yes : ending_.out_of_budget ? Ledger::Answer::no : with_.ledger.reserve(open->second.request, model->second);
    if (answer == Ledger::Answer::wait) return {};
    if (answer == Ledger::Answer::no) {
      if (!ending_.out_of_budget) KBX_TRY(end_budget());
      else KBX_TRY(tell_out_of_budget(*run));
      continue;
    }
    if (answer == Ledger::Answer::not_this_task) {
      KBX_TRY(tell_out_of_budget(*run));
      continue;
    }
    asks_.pop_front();
    open->second.started = true;
    calls_flying_++;
    with_.client.start(open->second.request, [this](llm::Exchange exchange) { inbox_.put(std::move(exchange)); });
  }
  return {};
}

// What it asked and was not begun is refused: the loop takes what is in flight and ends with the best so far.
Result<void> Scheduler::tell_out_of_budget(TaskRun& run) {
  std::vector<CallId> refused;
  for (auto& [id, open] : run.calls())
    if (!open.started && !open.cancelled && !ahead(run, step_of(id, open))) refused.push_back(id);
  if (!std::exchange(run.told_out_of_budget, true)) {
    came(run, {Step::Kind::out_of_budget, "", "", false});
    run.take(agent::OutOfBudget{});
  }
  for (const CallId& id : refused) {
    run.calls().erase(id);
    std::erase(asks_, std::pair{id.task, id});
    run.take(agent::Replied{id, budget_error()});
  }
  return after(run);
}

Result<void> Scheduler::end_budget() {
  ending_.out_of_budget = true;
  with_.watcher.note("the budget is used up: no further call is made");
  std::vector<std::string> names;
  for (TaskRun& r : runs_) names.push_back(r.task().name);
  for (const std::string& name : names)
    if (TaskRun* run = find(name); run && !over_.contains(name)) KBX_TRY(tell_out_of_budget(*run));
  return {};
}

}  // namespace kbx::generate
