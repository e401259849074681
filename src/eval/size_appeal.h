// SizeAppeal: at a performance size outputs are compared with those of eager's tape on the card, and that tape may be the one
// that is off (a library that keeps memory of its own). Where they differ, or eager has no tape, the candidate's output on
// the very same inputs is judged by the task's own oracle, against the reference in float64 on the host.
#pragma once
#include "eval/config.h"
#include "eval/device_timing.h"
#include "eval/perf.h"
#include "gpu/clock_process.h"
#include "sandbox/fork_server.h"

namespace kbx::eval {

class SizeAppeal {
 public:
  SizeAppeal(sandbox::ForkServer& server, const Task& task, const EvalConfig& config, const PerfCall& size) : server_(server), task_(task), config_(config), size_(size) {}

  // Is the size small enough for the host: at most 256 MiB of traffic, 64 where numbers are random and all of them are tested,
  // and 2e10 operations, some seconds?
  bool possible() const;
  // The tape of `side` is loaded and `set` drawn.
  Heard hear(gpu::ClockProcess& clock, int set, const char* side) const;

 private:
  sandbox::ForkServer& server_;
  const Task& task_;
  const EvalConfig& config_;
  const PerfCall& size_;
};

}  // namespace kbx::eval
