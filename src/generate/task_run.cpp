#include "generate/task_run.h"

#include "base/check.h"
#include "base/hash.h"

namespace kbx::generate {

TaskRun::TaskRun(const Task& task, size_t index, std::unique_ptr<agent::Loop> loop, std::deque<PastEvent> past, KeyOf key_of)
    : task_(task), index_(index), loop_(std::move(loop)), past_(std::move(past)), key_of_(std::move(key_of)) {}

void TaskRun::begin() { take(agent::Started{}); }

void TaskRun::take(const agent::Event& event) {
  step(event);
  catch_up();
}

void TaskRun::catch_up() {
  while (replay_one()) {
  }
}

void TaskRun::step(const agent::Event& event) {
  if (loop_->done()) return;
  if (const auto* replied = std::get_if<agent::Replied>(&event))
    if (const auto* reply = std::get_if<ChatReply>(&replied->result)) replies_[replied->id] = reply->text;
  for (agent::Action& action : loop_->step(event)) act(std::move(action));
}

void TaskRun::act(agent::Action&& action) {
  if (auto* ask = std::get_if<agent::Ask>(&action)) {
    std::string key = key_of_(ask->request);
    CallId id = ask->request.id;
    bool fresh = calls_.emplace(id, OpenCall{std::move(ask->request), std::move(key)}).second;
    KBX_CHECK(fresh);  // a loop asks nothing twice under one id
  } else if (auto* evaluate = std::get_if<agent::Evaluate>(&action)) {
    std::string code = sha256_hex(evaluate->code);
    agent::EvalId id = evaluate->id;
    evaluations_.emplace(id, OpenEvaluation{std::move(*evaluate), std::move(code)});
  } else if (auto* call = std::get_if<agent::CancelCall>(&action)) {
    auto open = calls_.find(call->id);
    if (open != calls_.end() && !std::exchange(open->second.cancelled, true)) cancelled_calls_.push_back(call->id);
  } else if (auto* evaluation = std::get_if<agent::CancelEvaluation>(&action)) {
    auto open = evaluations_.find(evaluation->id);
    if (open != evaluations_.end() && !std::exchange(open->second.cancelled, true)) cancelled_evaluations_.push_back(evaluation->id);
  } else if (auto* remember = std::get_if<agent::Remember>(&action)) {
    memories_.push_back(std::move(remember->memory));
  } else {
    finish_ = std::get<agent::Finish>(std::move(action));
  }
}

// The earliest event of the past that something open waits for. What nothing waits for stays: it was paid for, and a later
// question may be the same.
bool TaskRun::replay_one() {
  for (auto at = past_.begin(); at != past_.end(); ++at) {
    if (auto* call = std::get_if<PastCall>(&*at)) {
      auto open = calls_.find(call->id);
      if (open == calls_.end() || open->second.started || open->second.cancelled || open->second.key != call->key) continue;
      agent::Replied event{call->id, std::move(call->result)};
      past_.erase(at);
      calls_.erase(open);
      step(event);
      return true;
    }
    auto& evaluation = std::get<PastEvaluation>(*at);
    auto open = evaluations_.find(evaluation.id);
    if (open == evaluations_.end() || open->second.started || open->second.cancelled || open->second.code != evaluation.code_hash) continue;
    PastEvaluation event = std::move(evaluation);
    past_.erase(at);
    bool of_loop = open->second.of_loop;
    evaluations_.erase(open);
    learn(event.id, event.code_hash, event.feedback, event.job);
    if (of_loop) step(agent::Evaluated{event.id, event.feedback});
    return true;
  }
  return false;
}

void TaskRun::learn(const agent::EvalId& id, const std::string& code, const agent::Feedback& feedback, const std::string& job) {
  by_code_.try_emplace(code, Known{id, code, feedback, job});
  by_id_.insert_or_assign(id, Known{id, code, feedback, job});
  last_verdict_ = feedback.verdict;
}

const TaskRun::Known* TaskRun::known(const std::string& code) const {
  auto at = by_code_.find(code);
  return at == by_code_.end() ? nullptr : &at->second;
}
const TaskRun::Known* TaskRun::judged(const agent::EvalId& id) const {
  auto at = by_id_.find(id);
  return at == by_id_.end() ? nullptr : &at->second;
}

const TaskRun::Known* TaskRun::known_at(int round, int slot, const std::string& text) const {
  if (text.empty()) return nullptr;
  std::string code = sha256_hex(text);
  for (const auto& [id, k] : by_id_)
    if (id.round == round && id.slot == slot && k.code == code) return &k;
  return known(code);
}

std::string TaskRun::reply_of(const CallId& id) const {
  auto at = replies_.find(id);
  return at == replies_.end() ? std::string() : at->second;
}

}  // namespace kbx::generate
