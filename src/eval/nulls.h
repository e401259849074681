// The null battery: outputs that must never pass a task. Those that cost nothing: zeros, ones, NaN, poison, the mean of
// the right output, a copy of an input, the previous call's output. And the right output in a coarser format than it
// claims to have: float64 kept as float32, float16 as bfloat16, float32 as float16 (TF32 has as many bits).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "eval/truth.h"

namespace kbx::eval {

struct Null {
  const char* name;
  // The outputs by root; nullopt when this null does not exist for the case (no input of that shape, no output of that
  // format, a scheme that is judged as a whole).
  std::optional<std::map<std::string, Value>> (*make)(const TaskTruth& truth, size_t which);
  bool else_right = false;  // where it does not exist, the right output stands in its place
};
const std::vector<Null>& null_battery();

// Names of the nulls that every case accepts: a failure of the task. Nulls that exist for no case are left out.
std::vector<std::string> passing_nulls(const Task& task, const TaskTruth& truth);

}  // namespace kbx::eval
