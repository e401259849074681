// Sampling: pairs of runs in groups until the interval of their ratio is narrow enough (docs/clock.md). The rules alone,
// over any bench, so that they can be tested with scripted times.
#pragma once
#include <random>

#include "clock/fault.h"
#include "clock/runner.h"
#include "stats/ratio_estimate.h"

namespace kbx::clock {

// What is measured: side 0 and, if there are two, side 1.
class Bench {
 public:
  virtual ~Bench() = default;
  virtual int sides() const { return 2; }
  // One run; `pair` counts up and both sides of a pair get the same.
  virtual Outcome<RunSample> run(int side, int64_t pair) = 0;
  virtual Outcome<int64_t> new_group() = 0;  // other placements of memory and code; which one of memory, if one comes again
  virtual Outcome<double> clock_mhz() = 0;   // now; 0 = no probe
  virtual void idle_us(double us) = 0;
  virtual double now_ms() = 0;
};

struct SamplingRule {
  double half_width = 0.01;      // of the interval, relative
  int min_groups = 10;
  double cap_ms = 80, slow_cap_ms = 150;  // of measuring; the second where a pair takes longer than slow_pair_ms
  double slow_pair_ms = 2;
  double group_ms = 1;           // pairs in a group: this over a pair's time, 1 to most_pairs
  int most_pairs = 16;
  double gate = 0.93;            // of the nominal clock: below it a pair is dropped
  double most_wait_ms = 400;     // for the clock to return, in all; not part of the cap
  double spike = 2;              // times a side's median: such a pair is left out
  int least_groups = 5;          // with fewer there is no result: the cap waits for them, up to most_ms
  double most_ms = 2000;
  double nominal_mhz = 0;        // 0 = no gate
};

struct Sampling {
  double mean_us[2] = {0, 0};    // of the kept runs
  stats::RatioEstimate ratio;    // side 1 over side 0: how much faster side 0 is
  stats::MeanEstimate mean;      // of side 0
  int groups = 0, placements = 0, pairs = 0, spikes = 0, dropped = 0, gates = 0;  // placements: that the interval is over
  double wait_ms = 0, lowest_mhz = 0, highest_mhz = 0, spent_ms = 0;
  bool resolved = false;         // the half width was reached
};
Outcome<Sampling> sample(Bench& bench, const SamplingRule& rule, std::mt19937_64& random);

}  // namespace kbx::clock
