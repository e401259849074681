// One performance size on the clock: both tapes loaded, verified on two sets of inputs, timed, verified again.
#pragma once
#include "eval/charge.h"
#include "eval/config.h"
#include "eval/perf.h"
#include "eval/reference_tapes.h"
#include "gpu/clock_process.h"
#include "model/device_tape.h"
#include "model/timing.h"

namespace kbx::eval {

struct TimedSize {
  SizeTiming timing;
  std::vector<Charge> charges;     // wrong values at this size
};

// The candidate's side of one size.
struct SizeRecording {
  const Bytes* tape = nullptr;     // null: why_not
  std::string why_not;
  double host_seconds = 0;         // one call, as the worker says, within what the supervisor saw
  std::vector<DeviceTensor> outputs;
};

// An Error is the harness's; what the candidate's tape does to the clock is in the answer.
Result<TimedSize> time_size(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size,
                            const SizeRecording& candidate, const ReferenceSize& reference);

}  // namespace kbx::eval
