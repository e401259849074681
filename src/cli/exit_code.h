// What kbx's exit codes mean (docs/commands.md).
#pragma once
#include "base/result.h"

namespace kbx::cli {

inline constexpr int kEvaluated = 0;   // failing candidates included
inline constexpr int kGateFailed = 1;  // a requested gate (--fail-under, tasks check) failed
inline constexpr int kUsage = 2;       // flags, files, input
inline constexpr int kHarness = 3;     // kbx or the machine

inline int exit_code(const Error& error) { return error.code == Code::usage ? kUsage : kHarness; }

}  // namespace kbx::cli
