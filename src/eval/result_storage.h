// storage_charge(): whose memory a result lies in, where the task has a word on that. Values cannot show it: a view of the input
// is right by values, and so is a copy of the argument that was updated.
#pragma once
#include <optional>

#include "eval/charge.h"
#include "eval/truth.h"
#include "model/device_tape.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

// contract_violation when, in a case that returned,
// - eager returns an argument that the task mutates, and the candidate returns other memory in its place;
// - copying is the task itself (`copy_` is among its forbidden_library_ops), and the candidate returns memory of an argument where eager does not.
// Elsewhere views and copies are as good as each other. `out`: the calls of `truth` in their order.
std::optional<Charge> storage_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out);

// The same of the second on a device tape, which shows where its tensors lie. `where`: "case NAME" or "size NAME".
std::optional<Charge> device_storage_charge(const Task& task, const DeviceTape& tape, const std::string& where);

}  // namespace kbx::eval
