// OnCard: what a candidate does on a GPU: all its cases in its own process, the recorded ones played again by trusted
// code on inputs that no process of a candidate ever held, every performance size timed. One card, one lease.
#pragma once
#include <map>
#include <optional>

#include "eval/charge.h"
#include "eval/device_reading.h"
#include "eval/device_timing.h"
#include "eval/reference_tapes.h"
#include "eval/truth.h"
#include "gpu/cards.h"
#include "model/peaks.h"
#include "model/timing.h"
#include "sandbox/outcome.h"
#include "sandbox/request.h"

namespace kbx::eval {

// What a card's times are held against (docs/efficiency.md); absent: nobody knows.
struct CardPeaks {
  std::optional<Peaks> stated, reached;
};

// The machine's cards and what is known of the references on them; one for an evaluation.
struct CardBench {
  gpu::Cards& cards;
  ReferenceTapes& references;
  sandbox::ForkServer& server;     // for the reference on the host
  std::map<int, CardPeaks> peaks;  // by the card's index
};

struct CardFindings {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;
  std::optional<Timing> timing;
  std::map<std::string, double> seconds;  // of the parts
};

class OnCard {
 public:
  // Waits for a place on a card. `played`: the cases of the truth that are recorded, ascending.
  OnCard(const Task& task, const EvalConfig& config, CardBench& bench, const TaskTruth& truth, std::vector<size_t> played);

  // `ask` for role gpu with one step for each call of the truth: recording is added to it, and one step for each size, made
  // only when `right()` says that what came before it was.
  Result<void> complete(sandbox::Request& ask, std::function<bool(const sandbox::Outcome&)> right);
  // After the run, for what is right so far. `unseen`: the truth of the recorded cases on other inputs.
  Result<CardFindings> finish(const sandbox::Outcome& out, const TaskTruth& unseen);

  double lease_seconds() const { return slot_.held_seconds(); }
  void leave() { slot_.release(); }

 private:
  Result<void> replay(const sandbox::Outcome& out, const TaskTruth& unseen);
  Result<void> sanitize(const sandbox::Outcome& out, const TaskTruth& unseen);
  Result<void> time(const sandbox::Outcome& out, ReferenceTapes::Tapes references);
  Result<TimedSize> time_one(size_t place, const SizeRecording& mine, ReferenceTapes::Tapes& references, double floor_us);
  void missing_size(size_t place, const sandbox::StepResult* step);
  Result<void> renew_clock();

  const Task& task_;
  const EvalConfig& config_;
  CardBench& bench_;
  const TaskTruth& truth_;
  std::vector<size_t> played_;
  gpu::Cards::Slot slot_;
  std::unique_ptr<gpu::ClockProcess> clock_;
  std::vector<PerfCall> sizes_;
  Timing timing_;
  size_t first_size_ = 0;          // its step
  CardFindings found_;
};

}  // namespace kbx::eval
