// One performance size on the clock: both tapes loaded, verified on two sets of inputs, timed, verified again.
#pragma once
#include <functional>
#include <optional>
#include <string>

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
  std::string reference_off;       // how the candidate differed from the reference's tape and was right: that tape is to be given up
  std::string reference_fault;     // the reference's tape ended the play; the times are then no more than in_process
};

// The candidate's side of one size.
struct SizeRecording {
  const Bytes* tape = nullptr;     // null: why_not
  // Kernels of libraries compute on the tape: that tape without their launches, and the charge if the result needs them.
  Bytes own;
  std::optional<Charge> library;
  std::string why_not;
  double host_seconds = 0;         // one call, as the worker says, within what the supervisor saw
  std::vector<DeviceTensor> outputs;
};

// What the task's own oracle says of one side's outputs on a set of inputs, where the two differ, cannot be compared, or
// eager has no tape. `side`: "candidate" or "reference".
struct Heard {
  enum class Said : unsigned char { nothing, right, wrong, unplayable };  // nothing: it could not be asked; unplayable: the side's tape
  Said said = Said::nothing;
  std::string why;  // of `wrong` and `unplayable`
};
using Appeal = std::function<Heard(gpu::ClockProcess& clock, int set, const char* side)>;

// An Error is the harness's; what the candidate's tape does to the clock is in the answer. `physical_floor_us`: no time of
// the candidate below it can be true (model/efficiency.h), 0 = not known: such a time is measured once more; then the size
// has none, and a charge says harness_error. Without an `appeal` what differs from eager is wrong, and what cannot be
// compared is timed and counts nowhere. A time that is only the worker's word is a problem of the size alone.
Result<TimedSize> time_size(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size,
                            const SizeRecording& candidate, const ReferenceSize& reference, double physical_floor_us = 0, const Appeal& appeal = {});

// Does the reference's tape play with nothing of a candidate near? "" or why not.
Result<std::string> reference_trouble(gpu::ClockProcess& clock, const Task& task, const EvalConfig& config, const PerfCall& size, const ReferenceSize& reference);

}  // namespace kbx::eval
