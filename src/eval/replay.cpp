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
#include "worker/wire.h"

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

std::vector<Charge> unreplayed(const EvalConfig& config, const std::vector<Charge>& charges, const std::vector<std::string>& flags) {
  bool replayed = std::find(flags.begin(), flags.end(), "replayed") != flags.end();
  if (!config.replay_required || replayed || !charges.empty()) return {};
  auto why = std::find_if(flags.begin(), flags.end(), [](const std::string& f) { return f.rfind("in_process: ", 0) == 0; });
  return {{Verdict::not_judged, "right where the candidate ran, but not played again, which --replay required asks for: " + (why == flags.end() ? "nothing was played" : why->substr(12)), false, 0}};
}

std::string differs(const Task& task, const CaseTruth& unseen, const Value& seen, const sandbox::StepResult& played) {
  // What a tape does not give must not be taken from the run that was recorded.
  if (size_t wanted = tensors_of(seen, "").size(), got = played.result.items.size(); wanted != got) return fmt::format("{} tensors of the result were played, {} were returned", got, wanted);
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

struct Played {
  std::string why_not;               // a call that could not be played, in words
  std::string wrong;                 // what the judge says of the first call that is wrong; "" = all are right
  size_t which = 0;                  // its number in `seen`
  const CaseTruth* where = nullptr;
};

// Plays the tapes of the calls `seen` on the inputs of `cases`, in order.
Result<Played> play(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const sandbox::Outcome& first,
                    const std::vector<const sandbox::StepResult*>& seen, const std::vector<const CaseTruth*>& cases) {
  sandbox::Request request;
  request.role = sandbox::Role::replay;
  request.texts = first.texts;
  request.threads = config.kernel_threads;
  request.kernel_seconds = config.kernel_seconds;
  request.limits = config.limits;
  request.limits.call_seconds += config.kernel_seconds;
  request.jail = config.jail;
  for (size_t k = 0; k < seen.size(); k++) {
    sandbox::CallStep step;
    step.call = &cases[k]->call;
    step.names = &cases[k]->names;
    step.mutates = task.mutates;
    step.tape = &*seen[k]->tape;
    request.steps.push_back(std::move(step));
  }
  KBX_TRY_ASSIGN(sandbox::Outcome played, sandbox::run(server, request));
  Played out;
  for (size_t k = 0; k < seen.size() && out.wrong.empty(); k++) {
    if (k >= played.steps.size() || !played.steps[k].ok) {
      bool said = k < played.steps.size() && played.steps[k].error;
      out.why_not = said ? played.steps[k].error->message : "the replay ended early" + (played.note.empty() ? "" : ": " + played.note);
      break;
    }
    out.wrong = differs(task, *cases[k], seen[k]->result, played.steps[k]);
    out.which = k;
    out.where = cases[k];
  }
  return out;
}

// Whether elements of a result may still hold what a worker fills fresh memory with: there NaN, or true, was wanted.
bool holds_poison(const Value& v) {
  if (v.kind == ValueKind::tensor) {
    Tensor t = v.tensor.dense();
    if (t.dtype == Dtype::boolean) return true;  // cannot be told
    size_t width = size_of(t.dtype);
    const auto& bytes = *t.storage;
    for (size_t at = 0; width > 1 && at + width <= bytes.size(); at += width) {
      size_t k = 0;
      while (k < width && uint8_t(bytes[at + k]) == uint8_t(worker::kPoison >> (8 * (k % 2)))) k++;
      if (k == width) return true;
    }
  }
  return std::any_of(v.items.begin(), v.items.end(), holds_poison);
}

// `first`: the same call in the run that was recorded. Elements that nobody was seen to write and that hold no poison were
// written behind the recorder's back.
Charge wrong_again(const Played& played, const char* on, const sandbox::StepResult& first) {
  auto unwritten = std::find_if(first.findings.begin(), first.findings.end(), [](const Finding& f) { return f.rule == "unwritten_output"; });
  if (unwritten != first.findings.end() && holds_poison(first.result))
    return {Verdict::unwritten_output,
            fmt::format("case {}: {}; what lay there was right by luck, and in other memory is not: {}", played.where->which->name, unwritten->message, played.wrong), false, unwritten->line, true};
  return {Verdict::delegated,
          fmt::format("case {}: the launches do not compute the result by themselves; played again on {}: {}", played.where->which->name, on, played.wrong), false, 0, true};
}

}  // namespace

std::vector<size_t> replay_cases(const TaskTruth& truth) {
  std::vector<size_t> out;
  for (size_t k = 0; k < truth.cases.size(); k++)
    if (truth.cases[k].phase != "repeat" && truth.cases[k].which->raises.empty()) out.push_back(k);
  return out;
}

std::vector<size_t> device_replay_cases(const TaskTruth& truth) {
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
  std::vector<const CaseTruth*> recorded, others;
  for (size_t place : replay_cases(truth)) {
    size_t step = truth.first_call(place);
    if (step >= first.steps.size()) continue;
    seen.push_back(&first.steps[step]);
    recorded.push_back(&truth.cases[place]);
  }
  if (seen.empty() || seen.size() != unseen.cases.size()) return out;
  for (const CaseTruth& c : unseen.cases) others.push_back(&c);

  std::vector<bool> host_dependent;
  for (const sandbox::StepResult* s : seen) {
    if (!s->tape) {
      in_process("no tape was taken down");
      return out;
    }
    TapeReading reading = read_tape(*s->tape);
    if (!reading.playable) {
      in_process(reading.why_not);
      return out;
    }
    host_dependent.push_back(reading.host_dependent);
  }
  KBX_TRY_ASSIGN(Played fresh, play(server, task, config, first, seen, others));
  if (!fresh.why_not.empty()) {
    in_process(fresh.why_not);
    return out;
  }
  if (fresh.wrong.empty()) {
    out.flags = {"replayed"};
    out.findings.push_back(sealed(seen.size(), *seen.front()->tape));
    return out;
  }
  if (!host_dependent[fresh.which]) {
    out.charges.push_back(wrong_again(fresh, "other inputs", *seen[fresh.which]));
    return out;
  }
  // The host may have chosen sizes and scalars by what it read: on the recorded inputs the tape must be right all the same.
  KBX_TRY_ASSIGN(Played same, play(server, task, config, first, seen, recorded));
  if (!same.wrong.empty()) out.charges.push_back(wrong_again(same, "the same inputs", *seen[same.which]));
  else in_process(same.why_not.empty() ? "the host decides by values of the device" : same.why_not);
  return out;
}

}  // namespace kbx::eval
