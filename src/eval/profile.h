// Profile: one candidate at one performance size under ncu: recorded in its own process, played by trusted code with the
// profiler in front.
#pragma once
#include <string>

#include "eval/config.h"
#include "eval/perf.h"
#include "gpu/cards.h"
#include "model/candidate.h"
#include "model/kernel_profile.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

struct ProfileRequest {
  const Candidate& candidate;
  const Task& task;
  std::string size;          // name of a performance size; "" = the one that moves most bytes
  const gpu::Tool& tool;     // ncu
};

// Waits for a card of `cards`. Error usage: the candidate fails, has no tape that plays, or ncu may not count.
Result<CandidateProfile> profile(const ProfileRequest& what, const EvalConfig& config, gpu::Cards& cards, sandbox::ForkServer& server);

// The size of that name, or the one that moves most bytes (without formulas: the last). Error usage: there is none.
Result<const PerfCall*> profiled_size(const std::vector<PerfCall>& sizes, const std::string& name);

// The tape played on the size's drawn inputs under the tool, on a card whose lease the caller holds.
Result<CandidateProfile> profile_tape(const gpu::Tool& tool, const CardConfig& config, int card, const Task& task, const PerfCall& size, uint64_t seed, const Bytes& tape);

}  // namespace kbx::eval
