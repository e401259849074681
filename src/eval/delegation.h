// Delegation: did the candidate's own kernels do the work, or library operators? (docs/verdicts.md, `delegated`)
#pragma once
#include <map>
#include <string>
#include <vector>

#include "eval/charge.h"
#include "model/measurement.h"
#include "model/task.h"

namespace kbx::eval {

struct Delegation {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;
};

// `launches` and `ops` are those of all calls that returned.
Delegation find_delegation(const Task& task, const std::vector<Launch>& launches, const std::map<std::string, int64_t>& ops);
// Operators that never count as work: allocation, views, copies, casts, shape questions.
bool is_helper_op(const std::string& op);

}  // namespace kbx::eval
