// The prompt: exactly what a model is shown for a task. Made of the task's own words: signature, summary, contract,
// numerics, rules. No shape, seed, case or reference code of the tests is in it.
#pragma once
#include <string>
#include <vector>

#include "model/task.h"

namespace kbx::suite {

std::string prompt(const Task& task);

// The same, in pieces, for prompts of another form. Lists are points, one sentence or two each.
struct PromptParts {
  std::string title;      // "softmax (Math)"
  std::string signature;  // "softmax(input: Tensor, dim: int) -> Tensor"
  std::string entry;      // "def softmax(...):\n    ..." as a Python block, with what the protocol adds
  std::vector<std::string> numerics, judged;
  std::vector<std::string> rules;   // but for the form of the reply, which is the asker's
  std::vector<std::string> dtypes;  // of tensor arguments, as torch spells them
};
PromptParts prompt_parts(const Task& task);

}  // namespace kbx::suite
