// Work that a library's kernels did on a device tape. Where a call is recorded or timed nobody watches torch's operators, but
// every kernel that ran is on its tape: one that computes must belong to an operator that the task allows, or do nothing
// that the result needs (of a tensor that was printed, say): the tape is played without it.
#pragma once
#include <optional>
#include <string>

#include "eval/charge.h"
#include "eval/device_reading.h"
#include "model/task.h"

namespace kbx::eval {

// `where`: "case NAME" or "size NAME". `delegated`, or nothing.
std::optional<Charge> library_charge(const Task& task, const DeviceReading& reading, const std::string& where);
// The tape without the launches that library_charge() is about.
DeviceTape own_part(const Task& task, const DeviceTape& tape);
// `delegated` where copying is the task (`copy_` is forbidden) and no kernel of the candidate's own copied.
std::optional<Charge> copy_charge(const Task& task, const DeviceReading& reading, const std::string& where);

}  // namespace kbx::eval
