// The compile stage: acceptance by the compiler for every target. Host errors say nothing here: no kernel computes anything.
#pragma once
#include <optional>

#include "eval/charge.h"
#include "eval/config.h"
#include "eval/perf.h"
#include "eval/truth.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

struct CompileFindings {
  std::vector<Charge> charges;
  std::vector<Finding> findings;
  std::vector<std::string> flags;
  std::vector<Compiled> compiled;
  std::optional<sandbox::WorkerError> error;  // the first that counts
  std::string output;
  bool refused = false;                       // nothing can run: the import failed, or the first case's kernel
};

// `ask`: role compile with a step for each case of `truth`. `sizes`: performance sizes whose kernels are compiled for
// Request::kernels as well; nothing is found of them. An Error is the harness's.
Result<CompileFindings> compile_candidate(sandbox::ForkServer& server, sandbox::Request ask, const EvalConfig& config, const TaskTruth& truth,
                                          const std::vector<PerfCall>& sizes);

// Kernels by name that `out`, the run whose values are judged, launched and that the compile stage never met: nobody knows
// their registers, and no compiler has accepted them. A note: host code that hangs on values may not have come there.
std::vector<Finding> not_compiled(const std::vector<Compiled>& compiled, const sandbox::Outcome& out);

}  // namespace kbx::eval
