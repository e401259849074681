#include "eval/on_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"
#include "base/text.h"
#include "eval/candidate_charges.h"
#include "eval/device_replay.h"
#include "eval/replay.h"
#include "eval/roots.h"
#include "eval/sanitize.h"
#include "eval/tape_inputs.h"
#include "model/efficiency.h"

namespace kbx::eval {
namespace {

constexpr uint64_t kCandidateBase = 0x500000000000;
constexpr double kSeconds = 60;

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
  if (!config_.card->cupti.empty()) ask.recorder = sandbox::DeviceRecorder{config_.card->probe, config_.card->cupti, kCandidateBase};
  if (config_.replay && ask.recorder)
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

Result<void> OnCard::replay(const sandbox::Outcome& out, const TaskTruth& unseen) {
  DeviceReplay again(task_, truth_, unseen, [this]() -> Result<gpu::ClockProcess*> {
    KBX_TRY(renew_clock());
    return clock_.get();
  });
  KBX_TRY_ASSIGN(DeviceReplayed played, again.run(out));
  for (Charge& c : played.charges) found_.charges.push_back(std::move(c));
  for (Finding& f : played.findings) found_.findings.push_back(std::move(f));
  for (std::string& f : played.flags) found_.flags.push_back(std::move(f));
  return {};
}

Result<void> OnCard::sanitize(const sandbox::Outcome& out, const TaskTruth& unseen) {
  clock_.reset();  // its memory is needed
  KBX_TRY_ASSIGN(Sanitized s, sanitize_largest(*config_.card, slot_.card().index, truth_, unseen, out));
  for (Charge& c : s.charges) found_.charges.push_back(std::move(c));
  for (Finding& f : s.findings) found_.findings.push_back(std::move(f));
  for (std::string& f : s.flags) found_.flags.push_back(std::move(f));
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
