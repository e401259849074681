// The prompt: exactly what a model is shown for a task. Made of the task's own words: signature, summary, contract,
// numerics, rules. No shape, seed, case or reference code of the tests is in it.
#pragma once
#include <string>

#include "model/task.h"

namespace kbx::suite {

std::string prompt(const Task& task);

}  // namespace kbx::suite
