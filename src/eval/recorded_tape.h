// The device tape of a recorded call, or why there is none.
#pragma once
#include <string>

#include "model/device_tape.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

// "" = the worker sent one, unchecked.
std::string why_no_tape(const sandbox::StepResult& step);
// Checked by parse_device_tape(). Error (code usage): why there is none.
Result<DeviceTape> recorded_tape(const sandbox::StepResult& step);
// One that says of itself that the clock can play it.
Result<DeviceTape> playable_tape(const sandbox::StepResult& step);

}  // namespace kbx::eval
