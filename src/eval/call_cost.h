// call_cost(): a task's [cost] formulas, evaluated for one call.
#pragma once
#include "base/result.h"
#include "model/measurement.h"
#include "model/task.h"
#include "model/value.h"

namespace kbx::eval {

// An error when a formula does not fit the call's arguments.
Result<CallCost> call_cost(const Task& task, const Case& which, const Call& call);

}  // namespace kbx::eval
