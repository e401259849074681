#include "eval/device_replay.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/text.h"
#include "eval/library_work.h"
#include "eval/recorded_tape.h"
#include "eval/replay.h"
#include "eval/result_storage.h"
#include "eval/tape_inputs.h"
#include "model/device_tape.h"

namespace kbx::eval {
namespace {
constexpr double kSeconds = 60;
constexpr uint64_t kScalars = 4096;  // bytes that the host may read to decide by: 512 numbers, as without a card
}

std::optional<std::span<const std::byte>> part_of(const gpu::ClockProcess::Answer& answer, const Json& entry) {
  size_t at = size_t(get_int(entry, "at").value_or(0)), bytes = size_t(get_int(entry, "bytes").value_or(0));
  if (at > answer.blob.size() || bytes > answer.blob.size() - at) return std::nullopt;
  return std::span(answer.blob).subspan(at, bytes);
}

Result<sandbox::StepResult> played_outputs(const gpu::ClockProcess::Answer& answer) {
  sandbox::StepResult step;
  step.result.kind = ValueKind::tuple;
  const Json& outputs = get(answer.head, "outputs");
  if (!outputs.is_array()) return fail(Code::sandbox, "the clock played a tape and told no outputs");
  for (const Json& o : outputs) {
    std::string name = get_string(o, "name").value_or("");
    auto dtype = dtype_from_text(get_string(o, "dtype").value_or(""));
    auto part = part_of(answer, o);
    std::vector<int64_t> shape;
    const Json& sizes = get(o, "shape");
    if (sizes.is_array())
      for (const Json& d : sizes) shape.push_back(d.is_number_integer() ? d.get<int64_t>() : 0);
    int64_t count = 1;
    bool fits = true;
    for (int64_t d : shape) fits = fits && d >= 0 && !__builtin_mul_overflow(count, d, &count);
    if (!fits || !dtype || !part || count < 0 || size_t(count) != part->size() / size_of(*dtype) || part->size() % size_of(*dtype))
      return fail(Code::sandbox, "the clock told an output that does not fit its bytes");
    Tensor t = make_tensor(*dtype, shape, Bytes(part->begin(), part->end()));
    if (name == "result" || starts_with(name, "result[") || starts_with(name, "result.")) step.result.items.push_back(Value::of_tensor(std::move(t)));
    else step.mutated[name] = std::move(t);
  }
  return step;
}

void DeviceReplay::charge_kernels(const DeviceTape& tape, const DeviceReading& reading, const std::string& where, bool first) {
  if (auto c = device_storage_charge(task_, tape, where)) out_.charges.push_back(std::move(*c));
  if (auto c = copy_charge(task_, reading, where)) out_.charges.push_back(std::move(*c));
  else if (first && tape.launches() && !reading.own_kernels)  // a later case may have nothing to compute: a copy will do
    out_.charges.push_back({Verdict::delegated, "no kernel of the candidate's own was launched on the card", false, 0});
}

Result<DeviceReplayed> DeviceReplay::run(const sandbox::Outcome& out) {
  for (size_t k = 0; k < places_.size() && k < unseen_.cases.size(); k++) {
    size_t at = truth_.first_call(places_[k]);
    if (at >= out.steps.size()) return std::move(out_);
    KBX_TRY_ASSIGN(std::string why, one_case(places_[k], unseen_.cases[k], out.steps[at]));
    if (!why.empty()) out_.flags.push_back("in_process: " + why);
    if (!why.empty() || !out_.charges.empty()) return std::move(out_);
  }
  if (seal_.empty()) return std::move(out_);
  out_.flags.push_back("replayed");
  out_.findings.push_back({Layer::run, "replayed", Severity::note,
                           fmt::format("{} calls played again on the card, on inputs that no worker had seen: right; the first tape's seal is {}", unseen_.cases.size(), seal_), 0, 0});
  return std::move(out_);
}

Result<std::string> DeviceReplay::one_case(size_t place, const CaseTruth& unseen, const sandbox::StepResult& step) {
  auto tape = recorded_tape(step);
  if (!tape) return tape.error().message;
  DeviceReading reading = read_device_tape(*tape, step.images);
  bool first = seal_.empty();
  if (first) {
    seal_ = sha256_hex({reinterpret_cast<const char*>(step.device_tape.data()), step.device_tape.size()}).substr(0, 16);
    out_.flags.insert(out_.flags.end(), reading.flags.begin(), reading.flags.end());
  }
  charge_kernels(*tape, reading, "case " + unseen.which->name, first);
  if (!out_.charges.empty()) return std::string();
  auto library = library_charge(task_, reading, "case " + unseen.which->name);
  auto unplayed = [&](std::string why) {  // then nothing tells what a library's kernels are for
    if (library) out_.charges.push_back(std::move(*library));
    return why;
  };
  if (!reading.why_not.empty()) return unplayed(reading.why_not);
  KBX_TRY_ASSIGN(Played fresh, play(step.device_tape, *tape, unseen));
  if (!fresh.why_not.empty()) return unplayed(fresh.why_not);
  std::string wrong = differs(task_, unseen, step.result, fresh.step);
  if (wrong.empty() && fresh.guard_words == 0) {
    if (library) KBX_TRY(play_own(*tape, std::move(*library), unseen, step));
    return std::string();
  }
  if (!reading.host_read || reading.host_bytes > kScalars) {
    charge(unseen, fresh, wrong, "other inputs");
    return std::string();
  }
  // The host may have chosen sizes and scalars by what it read: on the recorded inputs the tape must be right all the same.
  const CaseTruth& recorded = truth_.cases[place];
  KBX_TRY_ASSIGN(Played same, play(step.device_tape, *tape, recorded));
  if (!same.why_not.empty()) return unplayed(same.why_not);
  wrong = differs(task_, recorded, step.result, same.step);
  if (!wrong.empty() || same.guard_words > 0) charge(recorded, same, wrong, "the same inputs");
  return unplayed("the host decides by values of the device");
}

Result<void> DeviceReplay::play_own(const DeviceTape& tape, Charge charge, const CaseTruth& unseen, const sandbox::StepResult& step) {
  DeviceTape own = own_part(task_, tape);
  KBX_TRY_ASSIGN(Played alone, play(dump_device_tape(own), own, unseen));
  std::string wrong = alone.why_not.empty() ? differs(task_, unseen, step.result, alone.step) : alone.why_not;
  if (wrong.empty()) return {};
  charge.explanation += "; without them: " + wrong;
  out_.charges.push_back(std::move(charge));
  return {};
}

void DeviceReplay::charge(const CaseTruth& c, const Played& played, const std::string& wrong, const char* on) {
  if (played.guard_words > 0)
    out_.charges.push_back({Verdict::illegal_memory_access, fmt::format("case {}: {} words outside every tensor were written{}{}", c.which->name, played.guard_words,
                                                                        played.guard_at.empty() ? "" : ", first ", played.guard_at), false, 0});
  if (!wrong.empty())
    out_.charges.push_back({Verdict::delegated, fmt::format("case {}: the launches do not compute the result by themselves; played again on {}: {}", c.which->name, on, wrong), false, 0});
}

Result<DeviceReplay::Played> DeviceReplay::play(const Bytes& bytes, const DeviceTape& tape, const CaseTruth& inputs) {
  Played out;
  KBX_TRY_ASSIGN(gpu::ClockProcess* clock, clock_());
  auto refused = [&](const char* what, const gpu::ClockProcess::Answer& answer) {
    out.why_not = fmt::format("{}: {}: {}", what, answer.fault(), answer.message());
    return out;
  };
  KBX_TRY_ASSIGN(auto loaded, clock->ask({{"do", "load"}, {"side", "candidate"}}, bytes, kSeconds));
  if (!loaded.ok()) return refused("the tape does not load", loaded);
  Bytes blob;
  Json list = pack_inputs(inputs, tape, blob);
  KBX_TRY_ASSIGN(auto put, clock->ask({{"do", "inputs"}, {"set", 0}, {"inputs", list}}, blob, kSeconds));
  if (!put.ok()) return refused("the inputs do not fit the tape", put);
  auto answer = clock->ask({{"do", "play"}, {"side", "candidate"}, {"set", 0}}, {}, kSeconds);
  if (!answer) {  // it ended or hung with the candidate's code on the card: that is the tape's doing
    out.why_not = "the tape does not play: " + answer.error().text();
    return out;
  }
  const gpu::ClockProcess::Answer& played = *answer;
  if (!played.ok()) return refused("the tape does not play", played);
  KBX_TRY(clock->ask({{"do", "unload"}}, {}, kSeconds));
  out.guard_words = get_int(played.head, "guard_words").value_or(0);
  out.guard_at = clean_utf8(get_string(played.head, "guard_at").value_or(""), 200);
  KBX_TRY_ASSIGN(out.step, played_outputs(played));
  return out;
}

}  // namespace kbx::eval
