// The null battery: outputs that cost nothing and must never pass a task: zeros, ones, NaN, poison, the mean of the
// right output, a copy of an input, the previous call's output, and doing nothing to an in-place argument.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "eval/truth.h"

namespace kbx::eval {

struct Null {
  const char* name;
  // The outputs by root; nullopt when this null does not exist for the case (no input of that shape).
  std::optional<std::map<std::string, Value>> (*make)(const TaskTruth& truth, size_t which);
};
const std::vector<Null>& null_battery();

// Names of the nulls that every case accepts: a failure of the task. Nulls that exist for no case are left out.
std::vector<std::string> passing_nulls(const Task& task, const TaskTruth& truth);

}  // namespace kbx::eval
