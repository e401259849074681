// The cost of a call: see the header.
#include "eval/call_cost.h"

#include "suite/expression.h"

namespace kbx::eval {

Result<CallCost> call_cost(const Task& task, const Case& which, const Call& call) {
  CallCost out;
  out.case_name = which.name;
  out.unit = task.cost.unit;
  KBX_TRY_ASSIGN(out.bytes, suite::evaluate(task.cost.bytes, task.entry, call));
  KBX_TRY_ASSIGN(out.flops, suite::evaluate(task.cost.flops, task.entry, call));
  return out;
}

}  // namespace kbx::eval
