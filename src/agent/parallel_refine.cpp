// Every worker is driven by its own replies; advance() is called when none has anything in flight.
#include "agent/parallel_refine.h"

#include <fmt/core.h>

#include <algorithm>

#include "agent/canonical.h"
#include "agent/denylist.h"
#include "agent/outcome.h"
#include "agent/standing.h"
#include "base/text.h"

namespace kbx::agent {
namespace {

// Stands in for a seed that did not come, under the quirk mock_seeds: it imports, and is wrong.
constexpr std::string_view kMockKernel =
    "import torch\nimport triton\nimport triton.language as tl\n\n\n@triton.jit\ndef mock_kernel(x_ptr, n, BLOCK: tl.constexpr):\n"
    "    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    tl.store(x_ptr + offsets, 0.0, mask=offsets < n)\n\n\n"
    "def kernel_function(*args, **kwargs):\n    return args[0]\n";

}  // namespace

void ParallelRefineLoop::start() {
  for (int slot = 0; slot < setting().workers; slot++) {
    workers_.push_back({.slot = slot});
    Fields fields;
    std::string wording = fmt::format("wording_{}", 1 + slot % setting().wordings), prompt = role_prompt("seed");
    if (prompts().has_block(prompt, wording)) fields["wording"] = prompts().block(prompt, wording, facts().fields);
    std::optional<double> temperature = setting().seed_temperature;
    if (temperature && method().has(Quirk::rising_temperature)) *temperature += 0.1 * slot;
    ask("seed", 0, slot, fields, temperature);
  }
}

void ParallelRefineLoop::replied(const CallId& id, const ChatResult& result) {
  if (is_optimise_role(id.role)) return optimise_replied(id, result);
  CodeAnswer answer = read_code(result, method(), facts().target);
  if (answer.code.empty() && ask_again(answer)) return;
  Worker& w = workers_[size_t(id.slot)];
  w.calls.push_back(id);
  id.role == "seed" ? seeded(w, id, std::move(answer)) : refined(w, id, std::move(answer));
}

void ParallelRefineLoop::seeded(Worker& w, const CallId& id, CodeAnswer answer) {
  if (answer.code.empty() && method().has(Quirk::mock_seeds)) answer = {.code = std::string(kMockKernel), .how = "mock"};
  if (answer.code.empty()) {
    w.ended = true;
    return;
  }
  w.answer = std::move(answer);
  w.from = id;
  test(w);
}

void ParallelRefineLoop::refined(Worker& w, const CallId& id, CodeAnswer answer) {
  w.round = id.round;
  if (method().has(Quirk::last_untested) && w.round >= setting().rounds) {
    w.ended = true;
    return;
  }
  if (!answer.code.empty()) {
    w.answer = std::move(answer);
    w.from = id;
    w.problem.clear();
    return test(w);
  }
  w.problem = answer.problem;
  if (method().has(Quirk::same_kernel_again)) return test(w);
  // The round is lost; the kernel and what was wrong with it are still those of before.
  auto known = known_.find(canonical_hash(w.answer.code));
  Feedback feedback = known != known_.end() && known->second.feedback ? *known->second.feedback : not_evaluated(Verdict::constraint_violation, denied(w.answer.code));
  refine(w, feedback);
}

void ParallelRefineLoop::test(Worker& w) {
  std::string violation = setting().denylist ? denied(w.answer.code) : "";
  if (!violation.empty()) return tested(w, not_evaluated(Verdict::constraint_violation, violation));
  EvalId id{facts().task, w.round, w.slot, 0};
  // Without dedup every test stands for itself; the map then only remembers what came of it.
  std::string key = canonical_hash(w.answer.code);
  auto known = known_.find(key);
  if (setting().dedup && known != known_.end()) {
    if (!known->second.feedback) {
      known->second.waiting.push_back(w.slot);
      return;
    }
    Feedback feedback = *known->second.feedback;
    if (!feedback.executes) feedback.error = fmt::format("This is the kernel of an earlier attempt again, and it failed then: {}", feedback.error);
    return tested(w, feedback);
  }
  known_[key] = {id, std::nullopt, {}};
  evaluate(id, w.answer, w.from);
}

void ParallelRefineLoop::evaluated(const EvalId& id, const Feedback& feedback) {
  if (optimising()) return optimise_evaluated(id, feedback);
  Worker& w = workers_[size_t(id.slot)];
  Known& known = known_[canonical_hash(w.answer.code)];
  known.feedback = feedback;
  std::vector<int> waiting = std::move(known.waiting);
  known.waiting.clear();
  tested(w, feedback);
  for (int slot : waiting)
    if (!done() && !winner_) tested(workers_[size_t(slot)], feedback);
}

bool ParallelRefineLoop::last_test(const Worker& w) const { return w.round >= setting().rounds; }

void ParallelRefineLoop::tested(Worker& w, const Feedback& feedback) {
  remember({w.round, w.slot, w.answer.code, w.answer.strategy, "", std::nullopt, feedback, w.calls});
  w.calls.clear();
  consider(w, feedback);
  if (feedback.executes) return succeed(w, feedback);
  Past past{clean_utf8(w.answer.code, size_t(setting().history.code)), clean_utf8(feedback.error, size_t(setting().history.err))};
  if (!feedback.output.empty() && setting().history.out > 0) past.error += "\nprinted: " + clean_utf8(feedback.output, size_t(setting().history.out));
  w.history.push_back(std::move(past));
  refine(w, feedback);
}

void ParallelRefineLoop::consider(const Worker& w, const Feedback& feedback) {
  if (!furthest_ || better(feedback, furthest_->feedback)) furthest_ = Kernel{w.answer.code, feedback, {facts().task, w.round, w.slot, 0}, w.from};
}

void ParallelRefineLoop::refine(Worker& w, const Feedback& feedback) {
  if (last_test(w)) {
    w.ended = true;
    return;
  }
  Fields fields = {{"code", w.answer.code}, {"outcome", outcome_text(feedback, w.answer.cut)}, {"history", history_text(w)}, {"problem", w.problem}};
  if (!ask("refine", w.round + 1, w.slot, fields, setting().refine_temperature)) w.ended = true;
}

std::string ParallelRefineLoop::history_text(const Worker& w) const {
  std::string out;
  size_t last = w.history.empty() ? 0 : w.history.size() - 1;  // the newest stands in full beside it
  size_t first = last > size_t(setting().history.n) ? last - size_t(setting().history.n) : 0;
  for (size_t k = first; k < last; k++)
    out += (out.empty() ? "" : "\n\n") +
           prompts().block(role_prompt("refine"), "history_item", {{"number", std::to_string(k + 1)}, {"code", w.history[k].code}, {"error", w.history[k].error.empty() ? "failed" : w.history[k].error}});
  return out;
}

void ParallelRefineLoop::succeed(Worker& w, const Feedback& feedback) {
  w.right = Kernel{w.answer.code, feedback, {facts().task, w.round, w.slot, 0}, w.from};
  w.ended = true;
  if (setting().all_workers) return;
  cancel_all();
  go_on_with(w);
}

void ParallelRefineLoop::go_on_with(const Worker& w) {
  winner_ = w.right;
  if (!begin_optimising(*winner_, setting().rounds + 1)) finish(best());
}

void ParallelRefineLoop::advance() {
  if (optimising()) return optimise_advance();
  const Worker* first = nullptr;
  for (const Worker& w : workers_)
    if (w.right && (first == nullptr || better(w.right->feedback, first->right->feedback))) first = &w;
  if (first == nullptr) return finish(best());
  go_on_with(*first);
}

Finish ParallelRefineLoop::best() const {
  if (optimising()) return best_optimised();
  const Kernel* kernel = winner_ ? &*winner_ : furthest_ ? &*furthest_ : nullptr;
  if (kernel == nullptr) return {.why = "none"};
  Finish end{.code = kernel->code, .why = std::string(to_text(standing_of(true, kernel->feedback))), .chosen = kernel->id};
  return end;
}

Json ParallelRefineLoop::state() const {
  Json out = OptimisePhase::state();
  int round = 0, at_work = 0;
  for (const Worker& w : workers_) round = std::max(round, w.round), at_work += !w.ended;
  out["round"] = round;
  out["rounds"] = setting().rounds;
  out["workers"] = at_work;
  if (optimising()) out["state"] = "optimising: " + out["state"].get<std::string>();
  return out;
}

}  // namespace kbx::agent
