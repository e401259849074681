#include "eval/on_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "eval/candidate_charges.h"
#include "eval/replay.h"
#include "eval/roots.h"
#include "eval/sanitize.h"
#include "eval/tape_inputs.h"
#include "model/efficiency.h"

namespace kbx::eval {
namespace {

constexpr uint64_t kCandidateBase = 0x500000000000;
constexpr double kSeconds = 60;

// What the clock played, as the judge wants it.
Result<sandbox::StepResult> played_outputs(const gpu::ClockProcess::Answer& answer) {
  sandbox::StepResult step;
  step.result.kind = ValueKind::tuple;
  const Json& outputs = get(answer.head, "outputs");
  if (!outputs.is_array()) return fail(Code::sandbox, "the clock played a tape and told no outputs");
  for (const Json& o : outputs) {
    std::string name = get_string(o, "name").value_or("");
    auto dtype = dtype_from_text(get_string(o, "dtype").value_or(""));
    size_t at = size_t(get_int(o, "at").value_or(0)), bytes = size_t(get_int(o, "bytes").value_or(0));
    std::vector<int64_t> shape;
    const Json& sizes = get(o, "shape");
    if (sizes.is_array())
      for (const Json& d : sizes) shape.push_back(d.is_number_integer() ? d.get<int64_t>() : 0);
    int64_t count = 1;
    for (int64_t d : shape) count *= d;
    if (!dtype || at > answer.blob.size() || bytes > answer.blob.size() - at || count < 0 || size_t(count) * size_of(*dtype) != bytes)
      return fail(Code::sandbox, "the clock told an output that does not fit its bytes");
    Tensor t = make_tensor(*dtype, shape, Bytes(answer.blob.begin() + int64_t(at), answer.blob.begin() + int64_t(at + bytes)));
    if (name == "result" || starts_with(name, "result[")) step.result.items.push_back(Value::of_tensor(std::move(t)));
    else step.mutated[name] = std::move(t);
  }
  return step;
}

}  // namespace

OnCard::OnCard(const Task& task, const EvalConfig& config, CardBench& bench, sandbox::ForkServer& server, const TaskTruth& truth)
    : task_(task), config_(config), bench_(bench), server_(server), truth_(truth), slot_(bench.cards.enter()) {}

Result<void> OnCard::complete(sandbox::Request& ask, std::function<bool(const sandbox::Outcome&)> right) {
  ask.gpu = slot_.card().index;
  ask.limits = card_limits(ask.limits);
  ask.before_load = [this]() -> Result<void> {
    slot_.lease();
    return {};
  };
  first_size_ = ask.steps.size();
  if (config_.card->cupti.empty()) return {};
  ask.recorder = sandbox::DeviceRecorder{config_.card->probe, config_.card->cupti, kCandidateBase};
  if (config_.replay)
    for (size_t place : replay_cases(truth_)) ask.steps[truth_.first_call(place)].record = true;
  if (!config_.card->timing) return {};
  KBX_TRY_ASSIGN(sizes_, perf_calls(task_));
  for (const PerfCall& size : sizes_) ask.steps.push_back(recording_step(task_, size, ask.limits));
  if (!sizes_.empty()) ask.steps[first_size_].worth = std::move(right);
  return {};
}

Result<void> OnCard::renew_clock() {
  if (clock_ && clock_->alive()) return {};
  KBX_TRY_ASSIGN(clock_, slot_.clock());
  return {};
}

Result<CardFindings> OnCard::finish(const sandbox::Outcome& out, const TaskTruth& unseen) {
  if (!slot_.leased()) slot_.lease();
  auto start = Steady::now();
  auto lap = [&](const char* name) {
    found_.seconds[name] = seconds_since(start);
    start = Steady::now();
  };
  if (config_.card->cupti.empty()) found_.flags.push_back("in_process: there is no CUPTI on this machine, so nothing was recorded");
  else if (config_.replay) KBX_TRY(replay(out, unseen));
  lap("gpu replay");
  if (config_.card->sanitizer) KBX_TRY(sanitize(out, unseen));
  if (found_.charges.empty() && !sizes_.empty()) {
    KBX_TRY(bench_.references.get(task_, sizes_, slot_.card().index));
    lap("gpu reference");
    KBX_TRY(time(out));
    lap("gpu timing");
  }
  clock_.reset();
  return std::move(found_);
}

Result<void> OnCard::replay(const sandbox::Outcome& out, const TaskTruth& unseen) {
  auto in_process = [&](const std::string& why) { found_.flags.push_back("in_process: " + why); };
  auto places = replay_cases(truth_);
  std::string seal;
  for (size_t k = 0; k < places.size() && k < unseen.cases.size(); k++) {
    size_t at = truth_.first_call(places[k]);
    if (at >= out.steps.size()) return {};
    const sandbox::StepResult& step = out.steps[at];
    if (step.device_tape.empty()) {
      in_process(step.device_trouble.empty() ? "no tape was taken down" : step.device_trouble);
      return {};
    }
    auto tape = parse_device_tape(step.device_tape.data(), step.device_tape.size());
    if (!tape) {
      in_process(tape.error().message);
      return {};
    }
    DeviceReading reading = read_device_tape(*tape, {});
    if (k == 0) {
      found_.flags.insert(found_.flags.end(), reading.flags.begin(), reading.flags.end());
      seal = sha256_hex({reinterpret_cast<const char*>(step.device_tape.data()), step.device_tape.size()}).substr(0, 16);
      bool works_alone = task_.allowed_library_ops.empty();
      if (!reading.libraries.empty() && works_alone)
        found_.charges.push_back({Verdict::delegated, "kernels of libraries did part of the work on the card: " + reading.libraries.front(), false, 0});
      if (tape->launches() && !reading.own_kernels)
        found_.charges.push_back({Verdict::delegated, "no kernel of the candidate's own was launched on the card", false, 0});
      if (!found_.charges.empty()) return {};
    }
    if (!reading.why_not.empty()) {
      in_process(reading.why_not);
      return {};
    }
    KBX_TRY_ASSIGN(std::string why, play_case(step, unseen.cases[k], reading));
    if (!why.empty()) {
      in_process(why);
      return {};
    }
    if (!found_.charges.empty()) return {};
  }
  found_.flags.push_back("replayed");
  found_.findings.push_back({Layer::run, "replayed", Severity::note,
                             fmt::format("{} calls played again on the card, on inputs that no worker had seen: right; the first tape's seal is {}", unseen.cases.size(), seal), 0, 0});
  return {};
}

// "" = played (and charged, when wrong); else why its values stay in_process.
Result<std::string> OnCard::play_case(const sandbox::StepResult& step, const CaseTruth& unseen, const DeviceReading& reading) {
  KBX_TRY(renew_clock());
  auto tape = parse_device_tape(step.device_tape.data(), step.device_tape.size());
  KBX_CHECK(tape.has_value());
  KBX_TRY_ASSIGN(auto loaded, clock_->ask({{"do", "load"}, {"side", "candidate"}}, step.device_tape, kSeconds));
  if (!loaded.ok()) return fmt::format("the tape does not load: {}: {}", loaded.fault(), loaded.message());
  Bytes blob;
  Json inputs = pack_inputs(unseen, *tape, blob);
  KBX_TRY_ASSIGN(auto put, clock_->ask({{"do", "inputs"}, {"set", 0}, {"inputs", inputs}}, blob, kSeconds));
  if (!put.ok()) return fmt::format("the inputs do not fit the tape: {}", put.message());
  KBX_TRY_ASSIGN(auto played, clock_->ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}}, {}, kSeconds));
  if (!played.ok()) return fmt::format("the tape does not play: {}: {}", played.fault(), played.message());
  KBX_TRY(clock_->ask({{"do", "unload"}}, {}, kSeconds));
  if (int64_t words = get_int(played.head, "guard_words").value_or(0); words > 0)
    found_.charges.push_back({Verdict::illegal_memory_access, fmt::format("case {}: {} words outside every tensor were written{}", unseen.which->name, words,
                                                                          get_string(played.head, "guard_at").value_or("").empty() ? "" : ", first " + *get_string(played.head, "guard_at")), false, 0});
  KBX_TRY_ASSIGN(sandbox::StepResult result, played_outputs(played));
  std::string wrong = differs(task_, unseen, step.result, result);
  if (wrong.empty()) return std::string();
  if (reading.host_read) return std::string("the host decides by values of the device");
  found_.charges.push_back({Verdict::delegated, fmt::format("case {}: the launches do not compute the result by themselves; played again on other inputs: {}", unseen.which->name, wrong), false, 0});
  return std::string();
}

Result<void> OnCard::sanitize(const sandbox::Outcome& out, const TaskTruth& unseen) {
  clock_.reset();  // its memory is needed
  KBX_TRY_ASSIGN(Sanitized s, sanitize_largest(*config_.card, slot_.card().index, truth_, unseen, out));
  for (Charge& c : s.charges) found_.charges.push_back(std::move(c));
  for (Finding& f : s.findings) found_.findings.push_back(std::move(f));
  for (std::string& f : s.flags) found_.flags.push_back(std::move(f));
  return {};
}

Result<void> OnCard::time(const sandbox::Outcome& out) {
  KBX_TRY_ASSIGN(auto references, bench_.references.get(task_, sizes_, slot_.card().index));
  auto known = bench_.peaks.find(slot_.card().index);
  const CardPeaks peaks = known == bench_.peaks.end() ? CardPeaks() : known->second;
  Timing timing;
  timing.gpu = slot_.card().name;
  timing.board = slot_.card().uuid;
  timing.driver = slot_.card().driver;
  for (size_t k = 0; k < sizes_.size(); k++) {
    size_t at = first_size_ + k;
    if (at >= out.steps.size() || !out.steps[at].ok) {
      SizeTiming missing;
      missing.case_name = sizes_[k].which->name;
      missing.problem = at < out.steps.size() && out.steps[at].error ? out.steps[at].error->type + ": " + out.steps[at].error->message.substr(0, 300) : "the call was not made";
      timing.sizes.push_back(std::move(missing));
      if (at < out.steps.size() && out.steps[at].error) found_.charges.push_back(charge_of_error(*out.steps[at].error, fmt::format("size {}", sizes_[k].which->name), false));
      continue;
    }
    const sandbox::StepResult& step = out.steps[at];
    SizeRecording mine;
    mine.host_seconds = std::min(step.host_seconds, step.seconds);
    auto tape = step.device_tape.empty() ? fail(Code::usage, step.device_trouble.empty() ? "no tape was taken down" : step.device_trouble)
                                         : parse_device_tape(step.device_tape.data(), step.device_tape.size());
    if (!tape) mine.why_not = tape.error().message;
    else if (mine.why_not = read_device_tape(*tape, {}).why_not; mine.why_not.empty()) mine.tape = &step.device_tape, mine.outputs = tape->outputs;
    KBX_TRY(renew_clock());
    double floor_us = sizes_[k].cost && peaks.stated ? physical_floor_us(*sizes_[k].cost, *peaks.stated, double(slot_.card().l2_bytes)) : 0;
    KBX_TRY_ASSIGN(TimedSize timed, time_size(*clock_, task_, config_, sizes_[k], mine, (*references)[k], floor_us));
    for (Charge& c : timed.charges) found_.charges.push_back(std::move(c));
    timing.sizes.push_back(std::move(timed.timing));
  }
  kbx::complete(timing, peaks.stated ? &*peaks.stated : nullptr, peaks.reached ? &*peaks.reached : nullptr);
  found_.timing = std::move(timing);
  return {};
}

}  // namespace kbx::eval
