// public_task(): what a method may learn from without seeing the cases that count: suite/public_variant.h, as far as the
// task's reference accepts it, and few enough cases to be judged beside the task's own.
#pragma once
#include "eval/config.h"
#include "model/task.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

inline constexpr size_t kPublicCases = 8;

// The same evaluation from a seed of its own, without a card.
EvalConfig public_config(EvalConfig config);
// At most kPublicCases cases, evenly chosen. Where the reference refuses the other sizes, the task's own sizes with other
// values.
Task public_task(const Task& task, sandbox::ForkServer& server, const EvalConfig& config);

}  // namespace kbx::eval
