// ReferenceTapes: eager's own work at every performance size, recorded once per task and card by the same recorder as a
// candidate's, from trusted code.
#pragma once
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "eval/config.h"
#include "eval/perf.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

struct ReferenceSize {
  Bytes tape;                // as model/device_tape.h writes it; empty: why_not
  std::string why_not;       // it has no tape that plays: cuSOLVER, cuFFT, the host reads values ...
  double host_seconds = 0;   // one call as a user makes it
};

class ReferenceTapes {
 public:
  ReferenceTapes(sandbox::ForkServer& server, const EvalConfig& config) : server_(server), config_(config) {}
  // Runs the reference on the card when it is asked for the first time: the caller holds the card's lease. One entry per
  // size. A reference that fails is an Error: the task is broken, not the candidate.
  Result<std::shared_ptr<const std::vector<ReferenceSize>>> get(const Task& task, const std::vector<PerfCall>& sizes, int card);

 private:
  static constexpr size_t kMostBytes = size_t(1) << 30;  // of tapes that are kept: those used last
  sandbox::ForkServer& server_;
  const EvalConfig& config_;
  void keep(std::string key, std::shared_ptr<const std::vector<ReferenceSize>> tapes);

  std::mutex mutex_;
  std::list<std::pair<std::string, std::shared_ptr<const std::vector<ReferenceSize>>>> recent_;
};

// The step that records one size, with `limits` for each of its calls. Refers to `size`.
sandbox::CallStep recording_step(const Task& task, const PerfCall& size, const sandbox::Limits& limits);

}  // namespace kbx::eval
