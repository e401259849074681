#include "eval/on_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "eval/candidate_charges.h"
#include "eval/device_replay.h"
#include "eval/library_work.h"
#include "eval/recorded_tape.h"
#include "eval/replay.h"
#include "eval/result_storage.h"
#include "eval/sanitize.h"
#include "eval/size_appeal.h"
#include "model/efficiency.h"

namespace kbx::eval {
namespace {

constexpr uint64_t kCandidateBase = 0x500000000000;

// The candidate's side of a size that was recorded, or why there is no tape. At a size nobody watches: the tape alone shows
// whose kernels ran and whose memory the result lies in. `unfit`: it leaves nothing to time.
struct RecordedSize {
  SizeRecording mine;
  std::optional<Charge> unfit;
};
RecordedSize recorded_size(const Task& task, const PerfCall& size, const sandbox::StepResult& step) {
  RecordedSize out;
  SizeRecording& mine = out.mine;
  mine.host_seconds = std::min(step.host_seconds, step.seconds);
  auto tape = recorded_tape(step);
  if (!tape) {
    mine.why_not = tape.error().message;
    return out;
  }
  const std::string where = "size " + size.which->name;
  DeviceReading reading = read_device_tape(*tape, {});
  out.unfit = device_storage_charge(task, *tape, where);
  if (!out.unfit) out.unfit = copy_charge(task, reading, where);
  mine.library = library_charge(task, reading, where);
  mine.why_not = reading.why_not;
  if (!mine.why_not.empty() && !out.unfit) out.unfit = mine.library;
  if (out.unfit || !mine.why_not.empty()) return out;
  mine.tape = &step.device_tape;
  if (mine.library) mine.own = dump_device_tape(own_part(task, *tape));
  mine.outputs = std::move(tape->outputs);
  return out;
}

}  // namespace

OnCard::OnCard(const Task& task, const EvalConfig& config, CardBench& bench, const TaskTruth& truth, std::vector<size_t> played)
    : task_(task), config_(config), bench_(bench), truth_(truth), played_(std::move(played)), slot_(bench.cards.enter()) {}

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
    for (size_t place : played_) ask.steps[truth_.first_call(place)].record = true;
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
  DeviceReplay again(task_, truth_, unseen, played_, [this]() -> Result<gpu::ClockProcess*> {
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
  KBX_TRY_ASSIGN(Sanitized s, sanitize_largest(*config_.card, slot_.card().index, truth_, played_, unseen, out));
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
    KBX_TRY_ASSIGN(auto references, bench_.references.get(task_, sizes_, slot_.card()));
    lap("gpu reference");
    KBX_TRY(time(out, references));
    lap("gpu timing");
  }
  clock_.reset();
  return std::move(found_);
}

// A size whose call was not made or raised: no row is dropped.
void OnCard::missing_size(size_t place, const sandbox::StepResult* step) {
  SizeTiming missing;
  missing.case_name = sizes_[place].which->name;
  missing.problem = step && step->error ? step->error->type + ": " + step->error->message.substr(0, 300) : "the call was not made";
  timing_.sizes.push_back(std::move(missing));
  if (step && step->error) found_.charges.push_back(charge_of_error(*step->error, fmt::format("size {}", sizes_[place].which->name), false));
}

// Where eager's tape ends the play, and does so alone too, or gives other values than eager does, it is given up for all
// candidates: the device time of this one stands against eager's calls as they are.
Result<TimedSize> OnCard::time_one(size_t place, const SizeRecording& mine, ReferenceTapes::Tapes& references, double floor_us) {
  SizeAppeal before_truth(bench_.server, task_, config_, sizes_[place]);
  Appeal appeal;
  if (before_truth.possible()) appeal = [&](gpu::ClockProcess& clock, int set, const char* side) { return before_truth.hear(clock, set, side); };
  KBX_TRY(renew_clock());
  KBX_TRY_ASSIGN(TimedSize timed, time_size(*clock_, task_, config_, sizes_[place], mine, (*references)[place], floor_us, appeal));
  std::string why;
  if (!timed.reference_off.empty()) {
    why = "its tape does not give what eager gives: " + timed.reference_off + ", right against float64";
  } else if (!timed.reference_fault.empty()) {
    KBX_TRY(renew_clock());
    KBX_TRY_ASSIGN(why, reference_trouble(*clock_, task_, config_, sizes_[place], (*references)[place]));
    if (!why.empty()) why = "its tape does not play: " + why;  // else it does: the candidate's doing
  }
  if (why.empty()) return timed;
  references = bench_.references.give_up(task_, slot_.card(), references, place, why);
  KBX_TRY(renew_clock());
  return time_size(*clock_, task_, config_, sizes_[place], mine, (*references)[place], floor_us, appeal);
}

Result<void> OnCard::time(const sandbox::Outcome& out, ReferenceTapes::Tapes references) {
  const gpu::Card& card = slot_.card();
  auto known = bench_.peaks.find(card.index);
  const CardPeaks peaks = known == bench_.peaks.end() ? CardPeaks() : known->second;
  timing_.gpu = card.name;
  timing_.board = card.uuid;
  timing_.driver = card.driver;
  for (size_t k = 0; k < sizes_.size(); k++) {
    const sandbox::StepResult* step = first_size_ + k < out.steps.size() ? &out.steps[first_size_ + k] : nullptr;
    if (!step || !step->ok) {
      missing_size(k, step);
      continue;
    }
    RecordedSize recorded = recorded_size(task_, sizes_[k], *step);
    if (recorded.unfit) {
      SizeTiming none;
      none.case_name = sizes_[k].which->name;
      none.problem = recorded.unfit->explanation;
      timing_.sizes.push_back(std::move(none));
      found_.charges.push_back(std::move(*recorded.unfit));
      continue;
    }
    const auto& cost = sizes_[k].cost;
    double floor_us = cost && peaks.stated ? physical_floor_us(*cost, *peaks.stated, double(card.l2_bytes)) : 0;
    KBX_TRY_ASSIGN(TimedSize timed, time_one(k, recorded.mine, references, floor_us));
    for (Charge& c : timed.charges) found_.charges.push_back(std::move(c));
    timing_.sizes.push_back(std::move(timed.timing));
  }
  kbx::complete(timing_, peaks.stated ? &*peaks.stated : nullptr, peaks.reached ? &*peaks.reached : nullptr);
  found_.timing = std::move(timing_);
  return {};
}

}  // namespace kbx::eval
