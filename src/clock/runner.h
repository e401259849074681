// Runner: one timed run of a side, prepared as docs/clock.md says, each step for its own reason.
#pragma once
#include "clock/side.h"

namespace kbx::clock {

struct RunSample {
  double us = 0;
  double mhz = 0;  // of the SM clock, just before; 0 = not probed
};

// Letters of the preparation, in this order: C clock probe, Z persisting lines of the L2 given up, S shared memory
// scrubbed, I inputs and constants restored, P all else of the arena poisoned, R the L2 filled by reading.
inline constexpr const char* kAllSteps = "CZSIPR";

class Runner {
 public:
  // Its buffers and events. Fault: memory.
  static Outcome<std::unique_ptr<Runner>> make(Card& card, const Kernels& kernels);
  ~Runner();

  // Prepares, plays the side as one graph launch between two events, waits. `steps`: which letters to do.
  Outcome<RunSample> run(Side& side, int set, const std::string& steps, double limit_ms) const;
  // The same with plain launches.
  Outcome<RunSample> run_plain(Side& side, int set, const std::string& steps, double limit_ms) const;
  // Anything, after the steps that need no side.
  Outcome<double> time(const std::function<Outcome<void>()>& enqueue, const std::string& steps, double limit_ms = 10e3) const;
  // MHz of the SM clock now.
  Outcome<double> probe() const;
  // The highest clock seen while it warmed up: what a card that is not throttled shows.
  Outcome<double> settle_clock() const;

 private:
  Runner() = default;
  Outcome<void> prepare(Side* side, int set, const std::string& steps) const;
  Outcome<void> enqueue_probe() const;
  double probed_mhz() const;

  Card* card_ = nullptr;
  const Kernels* kernels_ = nullptr;
  Buffer flush_, sink_;
  uint64_t flush_bytes_ = 0;
  Pinned clock_;
  CUevent before_ = nullptr, after_ = nullptr;
};

}  // namespace kbx::clock
