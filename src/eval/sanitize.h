// Sanitize: compute-sanitizer's memcheck, racecheck and initcheck on the trusted replay of one recorded call. It sees what
// the kernels do and nothing of Python; its reports become findings with the candidate's own lines.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "eval/charge.h"
#include "eval/config.h"
#include "eval/truth.h"
#include "gpu/sanitizer_log.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

struct Sanitized {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;  // "sanitized", or why not
};

// A call to look at.
struct SanitizedCall {
  const Bytes& tape;
  const CaseTruth& inputs;
};

// Plays the call three times in processes of their own, on the card whose lease the caller holds. What the tools cannot do
// is a flag; an Error is the harness's.
Result<Sanitized> sanitize(const CardConfig& config, int card, const SanitizedCall& call);
// The same for the largest recorded call of `out` that can be played; `places` and `unseen` as DeviceReplay has them.
Result<Sanitized> sanitize_largest(const CardConfig& config, int card, const TaskTruth& truth, const std::vector<size_t>& places, const TaskTruth& unseen, const sandbox::Outcome& out);

// One log as findings and charges, purely. `kernels`: names on the tape; what the log says of others, which are trusted
// code, is passed over unless it names the candidate's file.
//   memcheck   reject, and illegal_memory_access
//   racecheck  an error between two lines of the candidate: reject, and data_race; else warn
//   initcheck  warn
void read_sanitizer_log(gpu::SanitizerCheck check, const gpu::SanitizerLog& log, const std::set<std::string>& kernels, const std::string& case_name, Sanitized& out);

}  // namespace kbx::eval
