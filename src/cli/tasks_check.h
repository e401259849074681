// kbx tasks check: runs the proofs of tasks and prints their table.
#pragma once
#include <vector>

#include "cli/settings.h"
#include "model/task.h"

namespace kbx::cli {

struct CheckOptions {
  int seeds = 3;
  bool json = false;
  bool costs = false;  // the [cost] formulas alone, a row for each case
};

// kEvaluated when every proof holds, kGateFailed otherwise.
Result<int> check_tasks(const Settings& settings, const std::vector<const Task*>& tasks, const CheckOptions& options);

}  // namespace kbx::cli
