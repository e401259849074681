// idle_inputs(): parameters whose change never changes the reference's outcome in any case: tests that leave one idle
// cannot see a kernel that ignores it. A parameter that the contract declares ("NAME: has no effect") is none of them.
#pragma once
#include <string>
#include <vector>

#include "eval/truth.h"

namespace kbx::eval {

// The numbers below `count` in an order whose first `most` lie evenly among them.
std::vector<size_t> spread_order(size_t count, size_t most);
// Parameters with a default that matter by themselves, but in no case that gives a certain other one: a branch taken for
// the other may forget them unseen. "A makes no difference in any case that gives B". Nothing
// is said of tasks with random results.
Result<std::vector<std::string>> masked_inputs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth);
// Tensor arguments whose strides may be ignored in every case: memory taken for contiguous gives the same outcome. Those
// that the call writes, and those that always are contiguous, are not asked (untried_inputs.h names these).
Result<std::vector<std::string>> ignorable_strides(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth);
Result<std::vector<std::string>> idle_inputs(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const TaskTruth& truth);

}  // namespace kbx::eval
