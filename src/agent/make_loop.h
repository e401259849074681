// make_loop(): a method and a task become a loop that only steps.
#pragma once
#include <memory>

#include "agent/task_loop.h"

namespace kbx::agent {

// Error (code usage): a prompt or block that the method names is not there.
Result<std::unique_ptr<Loop>> make_loop(LoopParts parts);

}  // namespace kbx::agent
