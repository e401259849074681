#include "eval/reference_tapes.h"

#include <fmt/format.h>

#include "base/system.h"
#include "eval/protocol.h"
#include "eval/recorded_tape.h"
#include "model/device_tape.h"
#include "sandbox/run.h"

namespace kbx::eval {
namespace {

// Another place for every recording, among about half a million: a candidate that knew it could read the reference's
// answers or change its inputs while both lie in one process.
uint64_t random_base() {
  constexpr uint64_t kFirst = 0x600000000000, kPlaces = (0x6f0000000000 - kFirst) / kDeviceBaseAlign;
  return kFirst + system_random() % kPlaces * kDeviceBaseAlign;
}

constexpr int kHostCalls = 7;
constexpr double kCallsPerStep = 4;  // one warms up, two are recorded, at least one is timed

ReferenceSize size_of_step(sandbox::StepResult& step) {
  ReferenceSize out;
  out.host_seconds = step.host_seconds;
  if (auto tape = playable_tape(step); !tape) out.why_not = tape.error().message;
  else out.tape = std::move(step.device_tape);
  return out;
}

}  // namespace

sandbox::CallStep recording_step(const Task& task, const PerfCall& size, const sandbox::Limits& limits) {
  sandbox::CallStep step;
  step.call = &size.call;
  step.names = &size.names;
  step.mutates = task.mutates;
  step.draws = suite::draws_json(size.drawn);
  step.returns = false;
  step.record = true;
  step.seconds = kCallsPerStep * limits.call_seconds;
  step.host_calls = kHostCalls;
  return step;
}

namespace {
std::string key_of(const Task& task, const gpu::Card& card) { return fmt::format("{} {} {}", card.name, card.memory_bytes, task.name); }
}  // namespace

ReferenceTapes::Tapes ReferenceTapes::give_up(const Task& task, const gpu::Card& card, const Tapes& tapes, size_t size, const std::string& why) {
  auto fewer = std::make_shared<std::vector<ReferenceSize>>(*tapes);
  (*fewer)[size].tape.clear();
  (*fewer)[size].why_not = why;
  std::lock_guard lock(mutex_);
  for (auto& [key, kept] : recent_)
    if (key == key_of(task, card)) kept = fewer;
  return fewer;
}

Result<ReferenceTapes::Tapes> ReferenceTapes::get(const Task& task, const std::vector<PerfCall>& sizes, const gpu::Card& card) {
  const std::string key = key_of(task, card);
  if (Tapes kept = find_or_claim(key)) return kept;
  Result<Tapes> recorded = record(task, sizes, card.index);
  done(key, recorded ? *recorded : nullptr);
  return recorded;
}

ReferenceTapes::Tapes ReferenceTapes::find_or_claim(const std::string& key) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return recording_.count(key) == 0; });
  for (auto it = recent_.begin(); it != recent_.end(); ++it)
    if (it->first == key) {
      recent_.splice(recent_.begin(), recent_, it);
      return recent_.front().second;
    }
  recording_.insert(key);
  return nullptr;
}

void ReferenceTapes::done(const std::string& key, Tapes tapes) {
  std::lock_guard lock(mutex_);
  recording_.erase(key);
  if (tapes) recent_.emplace_front(key, std::move(tapes));
  size_t bytes = 0;
  for (auto it = recent_.begin(); it != recent_.end();) {
    for (const ReferenceSize& size : *it->second) bytes += size.tape.size();
    it = bytes > kMostBytes && it != recent_.begin() ? recent_.erase(it) : std::next(it);
  }
  changed_.notify_all();
}

Result<ReferenceTapes::Tapes> ReferenceTapes::record(const Task& task, const std::vector<PerfCall>& sizes, int card) {
  sandbox::Request request = recorded_request(config_, card, random_base());
  request.source = task.reference;
  request.entries = {task.entry.name};
  request.protocol = protocol_of(task);
  request.tf32 = task.tf32;
  request.stop_after_failure = true;
  for (const PerfCall& size : sizes) request.steps.push_back(recording_step(task, size, request.limits));
  KBX_TRY_ASSIGN(sandbox::Outcome out, sandbox::run(server_, request));
  auto tapes = std::make_shared<std::vector<ReferenceSize>>();
  for (size_t k = 0; k < sizes.size(); k++) {
    if (k >= out.steps.size() || !out.steps[k].ok) {
      std::string why = out.note;
      if (out.load_error) why = out.load_error->type + ": " + out.load_error->message;
      if (k < out.steps.size() && out.steps[k].error) why = out.steps[k].error->type + ": " + out.steps[k].error->message;
      return fail(Code::internal, fmt::format("the reference of task {} failed on the card at size {}: {}", task.name, sizes[k].which->name, why));
    }
    tapes->push_back(size_of_step(out.steps[k]));
  }
  return Tapes(tapes);
}

}  // namespace kbx::eval
