// Asking for a recorded call, and its device tape, or why there is none.
#pragma once
#include <string>

#include "eval/config.h"
#include "model/device_tape.h"
#include "sandbox/outcome.h"
#include "sandbox/request.h"

namespace kbx::eval {

// What every trusted or candidate's process that is recorded on a card asks for, but its code and steps. `base`: where
// the addresses of its arena begin.
sandbox::Request recorded_request(const EvalConfig& config, int card, uint64_t base);
// "" = the worker sent one, unchecked.
std::string why_no_tape(const sandbox::StepResult& step);
// Checked by parse_device_tape(). Error (code usage): why there is none.
Result<DeviceTape> recorded_tape(const sandbox::StepResult& step);
// One that says of itself that the clock can play it.
Result<DeviceTape> playable_tape(const sandbox::StepResult& step);

}  // namespace kbx::eval
