// DeviceReplay: the recorded cases of a candidate once more, played by the clock's process on inputs that no process of a
// candidate ever held. Launches that do not compute the result by themselves are `delegated`; what cannot be played is
// flagged `in_process` with the reason.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/charge.h"
#include "eval/device_reading.h"
#include "eval/truth.h"
#include "gpu/clock_process.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

struct DeviceReplayed {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;
};

class DeviceReplay {
 public:
  // `clock` gives a process that is alive, a fresh one after a fault.
  using Clock = std::function<Result<gpu::ClockProcess*>()>;
  // `places`: the recorded cases of `truth`, whose other inputs `unseen` holds in the same order.
  DeviceReplay(const Task& task, const TaskTruth& truth, const TaskTruth& unseen, std::vector<size_t> places, Clock clock)
      : task_(task), truth_(truth), unseen_(unseen), places_(std::move(places)), clock_(std::move(clock)) {}

  // `out`: the run on `truth`. An Error is the harness's.
  Result<DeviceReplayed> run(const sandbox::Outcome& out);

 private:
  struct Played {
    std::string why_not;           // "" = it was played
    sandbox::StepResult step;
    int64_t guard_words = 0;       // outside every tensor that no longer hold what was put there
    std::string guard_at;
  };
  // "" = go on; else why the values stay in_process.
  Result<std::string> one_case(size_t place, const CaseTruth& unseen, const sandbox::StepResult& step);
  Result<Played> play(const Bytes& bytes, const DeviceTape& tape, const CaseTruth& inputs);
  void charge_kernels(const DeviceTape& tape, const DeviceReading& reading, const std::string& where, bool first);
  // What of `charge` (kernels of libraries) stands: is the result right without them?
  Result<void> play_own(const DeviceTape& tape, Charge charge, const CaseTruth& unseen, const sandbox::StepResult& step);
  void charge(const CaseTruth& c, const Played& played, const std::string& wrong, const char* on);

  const Task& task_;
  const TaskTruth& truth_;
  const TaskTruth& unseen_;
  std::vector<size_t> places_;
  Clock clock_;
  DeviceReplayed out_;
  std::string seal_;
};

// The bytes of the clock's blob that an entry of its lists names by `at` and `bytes`; nothing where they are not in it.
std::optional<std::span<const std::byte>> part_of(const gpu::ClockProcess::Answer& answer, const Json& entry);
// What the clock told of a play, as the judge wants it: the tensors of the result as one tuple, and changed arguments.
Result<sandbox::StepResult> played_outputs(const gpu::ClockProcess::Answer& answer);

}  // namespace kbx::eval
