#include "eval/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "eval/candidate_charges.h"
#include "eval/evidence.h"
#include "eval/roots.h"
#include "eval/tape_reading.h"
#include "judge/judge.h"
#include "model/tape_json.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

int64_t input_bytes(const Call& call) {
  int64_t sum = 0;
  for (const auto& v : call.args)
    for (const TensorRef& t : tensors_of(v, "")) sum += t.tensor->numel() * int64_t(size_of(t.tensor->dtype));
  for (const auto& [name, v] : call.kwargs)
    for (const TensorRef& t : tensors_of(v, "")) sum += t.tensor->numel() * int64_t(size_of(t.tensor->dtype));
  return sum;
}

// The result of the first run with its tensors replaced, in order, by those of the replay.
void put_tensors(Value& into, const std::vector<Value>& tensors, size_t& next) {
  if (into.kind == ValueKind::tensor && next < tensors.size()) into = tensors[next++];
  for (Value& item : into.items) put_tensors(item, tensors, next);
}

}  // namespace

std::string differs(const Task& task, const CaseTruth& unseen, const Value& seen, const sandbox::StepResult& played) {
  Value result = seen;
  size_t next = 0;
  put_tensors(result, played.result.items, next);
  auto changed = mutated_roots(played.mutated);
  for (const auto& [root, expected] : unseen.roots) {
    const Value& got = root == "result" ? result : changed[root];
    judge::Evidence e = evidence_for(task, unseen, root, expected);
    e.got = &got;
    for (const Judgements& j : judge::judge_result(e))
      if (j.kbx.verdict != Verdict::correct) return j.kbx.explanation;
  }
  return "";
}

namespace {

Finding sealed(size_t calls, const Tape& tape) {
  return {Layer::run, "replayed", Severity::note,
          fmt::format("{} call{} played again on inputs that no worker had seen: right; the first tape's seal is {}", calls, calls == 1 ? "" : "s",
                      sha256_hex(dump_json(tape_to_json(tape))).substr(0, 16)), 0, 0};
}

}  // namespace

std::vector<size_t> replay_cases(const TaskTruth& truth) {
  std::vector<size_t> standing;
  for (size_t k = 0; k < truth.cases.size(); k++)
    if (truth.cases[k].phase == "standard" && truth.cases[k].which->raises.empty()) standing.push_back(k);
  if (standing.empty()) return {};
  auto larger = [&](size_t a, size_t b) { return input_bytes(truth.cases[a].call) < input_bytes(truth.cases[b].call); };
  std::vector<size_t> out{standing.front(), *std::max_element(standing.begin(), standing.end(), larger), standing.back()};
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Result<Replayed> replay(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth, const TaskTruth& unseen,
                        const sandbox::Outcome& first) {
  Replayed out;
  auto in_process = [&](const std::string& why) { out.flags = {"in_process: " + why}; };
  std::vector<const sandbox::StepResult*> seen;
  for (size_t place : replay_cases(truth)) {
    size_t step = truth.first_call(place);
    if (step < first.steps.size()) seen.push_back(&first.steps[step]);
  }
  if (seen.empty() || seen.size() != unseen.cases.size()) return out;

  sandbox::Request request;
  request.role = sandbox::Role::replay;
  request.texts = first.texts;
  request.threads = config.kernel_threads;
  request.kernel_seconds = config.kernel_seconds;
  request.limits = config.limits;
  request.limits.call_seconds += config.kernel_seconds;
  request.jail = config.jail;
  std::vector<TapeReading> readings;
  for (size_t k = 0; k < seen.size(); k++) {
    if (!seen[k]->tape) {
      in_process("no tape was taken down");
      return out;
    }
    readings.push_back(read_tape(*seen[k]->tape));
    if (!readings.back().playable) {
      in_process(readings.back().why_not);
      return out;
    }
    sandbox::CallStep step;
    step.call = &unseen.cases[k].call;
    step.names = &unseen.cases[k].names;
    step.mutates = task.mutates;
    step.tape = &*seen[k]->tape;
    request.steps.push_back(std::move(step));
  }
  KBX_TRY_ASSIGN(sandbox::Outcome played, sandbox::run(server, request));
  for (size_t k = 0; k < seen.size(); k++) {
    if (k >= played.steps.size() || !played.steps[k].ok) {
      bool said = k < played.steps.size() && played.steps[k].error;
      in_process(said ? played.steps[k].error->message : "the replay ended early" + (played.note.empty() ? "" : ": " + played.note));
      return out;
    }
    std::string wrong = differs(task, unseen.cases[k], seen[k]->result, played.steps[k]);
    if (wrong.empty()) continue;
    if (readings[k].host_dependent) {
      in_process("the host decides by values of the device");
      return out;
    }
    out.charges.push_back({Verdict::delegated,
                           fmt::format("case {}: the launches do not compute the result by themselves; played again on other inputs: {}", unseen.cases[k].which->name, wrong), false, 0});
    return out;
  }
  out.flags = {"replayed"};
  out.findings.push_back(sealed(seen.size(), *seen.front()->tape));
  return out;
}

}  // namespace kbx::eval
