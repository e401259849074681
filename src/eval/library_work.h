// library_charge(): work that a library's kernels did on a device tape. Where a call is recorded or timed nobody watches
// torch's operators, but every kernel that ran is on its tape: one that computes must belong to an operator that the task
// allows.
#pragma once
#include <optional>
#include <string>

#include "eval/charge.h"
#include "eval/device_reading.h"
#include "model/task.h"

namespace kbx::eval {

// `where`: "case NAME" or "size NAME". `delegated`, or nothing.
std::optional<Charge> library_charge(const Task& task, const DeviceReading& reading, const std::string& where);

}  // namespace kbx::eval
