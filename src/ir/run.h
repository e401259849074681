// The instruction loop of one program.
#pragma once
#include "base/clock.h"
#include "ir/context.h"

namespace kbx::ir {

enum class Slice { ended, waiting, stopped };

struct RunLimits {
  Steady::time_point deadline;
  uint64_t steps = ~uint64_t{0};  // instructions a program
};

// Runs until the program ends, seems to wait for another program (it polls memory in a loop), or a limit or
// Shared::stop ends the launch.
Slice run_slice(Context& c, const RunLimits& limits);

// Executes the setup code once, for all programs that use this context.
void run_setup(Context& c);

}  // namespace kbx::ir
