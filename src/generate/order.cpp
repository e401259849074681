#include "generate/order.h"

#include <fmt/format.h>

#include <algorithm>

namespace kbx::generate {

Json step_json(const Step& step) {
  Json out = Json::object();
  if (step.kind == Step::Kind::call) out = {{"call", step.place}, {"key", step.content}};
  if (step.kind == Step::Kind::evaluation) out = {{"evaluation", step.place}, {"code", step.content}};
  if (step.kind == Step::Kind::out_of_budget) out = {{"out_of_budget", true}};
  if (!step.feedback.is_null()) out["feedback"] = step.feedback;
  if (step.stopped) out["stopped"] = true;
  return out;
}

Result<Step> step_from(const Json& json) {
  Step out;
  const Json& stopped = get(json, "stopped");
  out.stopped = stopped.is_boolean() && stopped.get<bool>();
  if (get(json, "out_of_budget").is_boolean()) {
    out.kind = Step::Kind::out_of_budget;
    return out;
  }
  auto call = get_string(json, "call"), evaluation = get_string(json, "evaluation"), content = get_string(json, call ? "key" : "code");
  if ((!call && !evaluation) || !content) return fail(Code::usage, "a step is a call with its key, an evaluation with its code, or the end of the budget");
  out.kind = call ? Step::Kind::call : Step::Kind::evaluation;
  out.place = call ? *call : *evaluation;
  out.content = *content;
  out.feedback = get(json, "feedback");
  return out;
}

Result<void> Order::put(const std::string& task, size_t at, Step step) {
  auto& steps = tasks_[task].steps;
  if (at > steps.size()) return fail(Code::usage, fmt::format("the order of {} has no step {} before step {}", task, steps.size(), at));
  steps.resize(at);
  steps.push_back(std::move(step));
  return {};
}

const Step* Order::next(const std::string& task) const {
  auto line = tasks_.find(task);
  return line == tasks_.end() || line->second.at >= line->second.steps.size() ? nullptr : &line->second.steps[line->second.at];
}

bool Order::ahead(const std::string& task, const Step& step) const {
  auto line = tasks_.find(task);
  if (line == tasks_.end()) return false;
  const auto& [steps, at] = line->second;
  return std::any_of(steps.begin() + std::ptrdiff_t(std::min(at, steps.size())), steps.end(), [&](const Step& s) { return s.same(step); });
}

Order::Place Order::happened(const std::string& task, const Step& step) {
  const Step* expected = next(task);
  Line& line = tasks_[task];
  Place out{line.at, expected && expected->same(step) && expected->stopped == step.stopped};
  if (!out.known) {
    line.steps.resize(line.at);
    line.steps.push_back(step);
  }
  line.at++;
  return out;
}

size_t Order::passed(const std::string& task, const Step& step, bool without_budget) {
  auto found = tasks_.find(task);
  if (found == tasks_.end()) return npos;
  auto& [steps, at] = found->second;
  size_t there = at;
  while (without_budget && there < steps.size() && steps[there].kind == Step::Kind::out_of_budget) there++;
  if (there >= steps.size() || !steps[there].same(step)) return npos;
  size_t changed = there > at ? at : npos;
  steps.erase(steps.begin() + std::ptrdiff_t(at), steps.begin() + std::ptrdiff_t(there));
  at++;
  return changed;
}

std::vector<Step> Order::past(const std::string& task) const {
  auto line = tasks_.find(task);
  if (line == tasks_.end()) return {};
  return {line->second.steps.begin(), line->second.steps.begin() + std::ptrdiff_t(line->second.at)};
}

void Order::leave(const std::string& task) {
  if (auto line = tasks_.find(task); line != tasks_.end()) line->second.steps.resize(line->second.at);
}

}  // namespace kbx::generate
