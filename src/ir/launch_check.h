// Whether a launch fits its program; said in words before anything runs.
#pragma once
#include "base/result.h"
#include "ir/machine.h"
#include "ir/program.h"

namespace kbx::ir {

Result<void> check_launch(const MachineCode& code, const LaunchSpec& spec);

}  // namespace kbx::ir
