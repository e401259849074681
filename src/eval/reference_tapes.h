// ReferenceTapes: eager's own work at every performance size, recorded by the same recorder as a candidate's, from trusted
// code; once per task and model of card, since cards of one model play one another's tapes.
#pragma once
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "eval/config.h"
#include "eval/perf.h"
#include "gpu/clock_process.h"
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
  using Tapes = std::shared_ptr<const std::vector<ReferenceSize>>;
  // Runs the reference on the card when nobody has yet: the caller holds the card's lease. Waits where another card of the
  // model is about it. One entry per size. A reference that fails is an Error: the task is broken, not the candidate.
  Result<Tapes> get(const Task& task, const std::vector<PerfCall>& sizes, const gpu::Card& card);
  // One size's tape turned out not to play: `tapes` without it, for those who come later too.
  Tapes give_up(const Task& task, const gpu::Card& card, const Tapes& tapes, size_t size, const std::string& why);

 private:
  static constexpr size_t kMostBytes = size_t(1) << 30;  // of tapes that are kept: those used last
  sandbox::ForkServer& server_;
  const EvalConfig& config_;
  // The kept tapes of `key`, moved to the front; else null, and the caller must record them and call done().
  Tapes find_or_claim(const std::string& key);
  void done(const std::string& key, Tapes tapes);  // null: it failed, the next may try
  Result<Tapes> record(const Task& task, const std::vector<PerfCall>& sizes, int card);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> recording_;
  std::list<std::pair<std::string, Tapes>> recent_;
};

// The step that records one size, with `limits` for each of its calls. Refers to `size`.
sandbox::CallStep recording_step(const Task& task, const PerfCall& size, const sandbox::Limits& limits);

}  // namespace kbx::eval
