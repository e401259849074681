// work_charge(): whether a candidate's launches did the operations that its task asks for by [cost] least_flops, where
// the values cannot show it (a matrix rebuilt from its own decomposition is the matrix).
#pragma once
#include <optional>

#include "eval/charge.h"
#include "eval/truth.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

// contract_violation when, in the standard case with most formula flops among those that returned, the launches executed
// less than least_flops of the formula's. Nothing where the task does not ask, or where the launches were not counted:
// they did not run on the IR machine. `out`: the calls of `truth` in their order.
std::optional<Charge> work_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out);

// For a card, which counts nothing: not_judged where the task asks for counted work and the machine counted none in any
// standard case (the candidate failed there, perhaps on purpose).
std::optional<Charge> uncounted_charge(const Task& task, const TaskTruth& truth, const sandbox::Outcome& out);

}  // namespace kbx::eval
