// What is in flight, and when a loop must go on.
#include "agent/task_loop.h"

#include <fmt/core.h>

#include "base/check.h"
#include "base/text.h"

namespace kbx::agent {
namespace {

Sampling with_temperature(Sampling sampling, std::optional<double> temperature) {
  if (temperature) sampling.temperature = temperature;
  return sampling;
}

}  // namespace

// "repair_2" is asked as "refine" is.
const Role* TaskLoop::role_setting(const std::string& role) const {
  auto found = method().roles.find(starts_with(role, "repair_") ? "refine" : role);
  return found == method().roles.end() ? nullptr : &found->second;
}

std::string TaskLoop::role_prompt(const std::string& role) const {
  const Role* setting = role_setting(role);
  return setting ? setting->prompt : "";
}

ChatRequest TaskLoop::request(const std::string& role, CallId id, const Fields& fields, std::optional<double> temperature) const {
  const Method& m = method();
  const Role* found = role_setting(role);
  KBX_CHECK(found != nullptr);
  const Role& setting = *found;
  Fields all = fields;
  all.insert(facts().fields.begin(), facts().fields.end());
  PromptText text = prompts().render(setting.prompt, m.form, all);
  ChatRequest out;
  out.id = std::move(id);
  out.model = setting.model.empty() ? m.model : setting.model;
  out.system = std::move(text.system);
  out.messages.push_back({Speaker::user, std::move(text.user), text.user_stable});
  out.sampling = with_temperature(m.sampling, temperature ? temperature : setting.temperature);
  out.max_tokens = setting.max_tokens > 0 ? setting.max_tokens : m.max_tokens;
  out.thinking = m.thinking;
  out.effort = m.effort;
  out.prompt = std::move(text.name);
  return out;
}

bool TaskLoop::ask(const std::string& role, int round, int slot, const Fields& fields) { return ask(role, round, slot, fields, std::nullopt); }

bool TaskLoop::ask(const std::string& role, int round, int slot, const Fields& fields, std::optional<double> temperature) {
  if (out_of_budget_ || done_) return false;
  ChatRequest r = request(role, {facts().task, role, round, slot, 0}, fields, temperature);
  bool fresh = calls_.emplace(r.id, Call{r, r.messages.back().text}).second;
  KBX_CHECK(fresh);
  actions_.push_back(Ask{std::move(r)});
  return true;
}

bool TaskLoop::ask_again(const CodeAnswer& answer) {
  if (answer.none_more) no_more_calls();
  Call again = answered_;
  ChatRequest& r = again.request;
  if (!answer.again || out_of_budget_ || done_ || r.id.attempt >= method().asks_again) return false;
  r.id.attempt++;
  r.messages.back().text = again.question;
  if (prompts().has_block(role_prompt(r.id.role), "again"))
    r.messages.back().text += "\n" + prompts().block(role_prompt(r.id.role), "again", {{"problem", answer.problem}}) + "\n";
  calls_.emplace(r.id, again);
  actions_.push_back(Ask{std::move(r)});
  return true;
}

void TaskLoop::evaluate(const EvalId& id, const CodeAnswer& answer, const CallId& from) {
  if (done_) return;
  bool fresh = evaluations_.insert(id).second;
  KBX_CHECK(fresh);
  actions_.push_back(Evaluate{id, answer.code, answer.how, answer.cut, from, true});
}

void TaskLoop::cancel_all() {
  cancel_if([](int) { return true; });
}

void TaskLoop::cancel_if(const std::function<bool(int slot)>& chosen) {
  for (auto call = calls_.begin(); call != calls_.end();) {
    if (!chosen(call->first.slot)) {
      ++call;
      continue;
    }
    actions_.push_back(CancelCall{call->first});
    call = calls_.erase(call);
  }
  for (auto evaluation = evaluations_.begin(); evaluation != evaluations_.end();) {
    if (!chosen(evaluation->slot)) {
      ++evaluation;
      continue;
    }
    actions_.push_back(CancelEvaluation{*evaluation});
    evaluation = evaluations_.erase(evaluation);
  }
}

void TaskLoop::finish(Finish end) {
  if (done_) return;
  cancel_all();
  end.cut_short = end.cut_short || out_of_budget_;
  if (end.code.empty() && end.why != "raw") end.why = out_of_budget_ ? "budget" : "none";
  actions_.push_back(std::move(end));
  done_ = true;
}

void TaskLoop::handle(const Event& event) {
  if (std::holds_alternative<Started>(event)) {
    if (started_) return;
    started_ = true;
    start();
  } else if (const auto* reply = std::get_if<Replied>(&event)) {
    auto call = calls_.extract(reply->id);
    if (call.empty()) return;
    answered_ = std::move(call.mapped());
    replied(reply->id, reply->result);
  } else if (const auto* outcome = std::get_if<Evaluated>(&event)) {
    if (evaluations_.erase(outcome->id) > 0) evaluated(outcome->id, outcome->feedback);
  } else {
    out_of_budget_ = true;
  }
}

std::vector<Action> TaskLoop::step(const Event& event) {
  actions_.clear();
  if (done_) return {};
  handle(event);
  if (started_ && !done_ && calls_.empty() && evaluations_.empty()) advance();
  if (started_ && !done_ && calls_.empty() && evaluations_.empty()) finish(best());
  return std::move(actions_);
}

Json TaskLoop::state() const {
  std::string what = done_ ? "done"
                     : calls_.empty() && evaluations_.empty() ? "not started"
                     : calls_.empty()       ? fmt::format("evaluating {}", evaluations_.size())
                     : evaluations_.empty() ? fmt::format("waiting for {}", calls_.size())
                                            : fmt::format("waiting for {}, evaluating {}", calls_.size(), evaluations_.size());
  return {{"loop", std::string(to_text(method().loop))}, {"state", what}, {"calls", calls_.size()}, {"evaluations", evaluations_.size()}};
}

}  // namespace kbx::agent
