// Timing: what the trusted clock says of one candidate (docs/clock.md). Times are microseconds of device time: events
// around one graph launch of a tape, after the preparation of a run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/peaks.h"

namespace kbx {

// Who played, and so how far the time can be trusted.
enum class TimedBy : unsigned char {
  replay,      // both tapes in the trusted process, interleaved
  mixed,       // the candidate's tape was played; the reference has none that plays and was timed in its own process
  in_process   // the candidate ran in its own process, timed from outside: less trusted
};
std::string_view to_text(TimedBy by);
std::optional<TimedBy> timed_by_from_text(std::string_view text);

// One performance size.
struct SizeTiming {
  std::string case_name;
  std::string problem;               // why there is no time; "" = there is one
  TimedBy by = TimedBy::replay;
  double candidate_us = 0, reference_us = 0;   // means of the kept runs
  double speedup = 0, low = 0, high = 0;       // reference / candidate, 95 % t interval on log ratios of group means
  int groups = 0, pairs = 0, spikes = 0, dropped_pairs = 0;
  double floor_us = 0;               // what the clock shows for an empty kernel
  bool launch_bound = false;         // below three floors: the ratio is compressed
  double wait_ms = 0;                // for the clock frequency to return
  double lowest_mhz = 0;             // of the SM clock, by the probe in front of every run
  uint64_t throttle_reasons = 0;     // NVML, at the end of the size
  double candidate_host_us = 0, reference_host_us = 0;  // one call as a user sees it, Python included; 0 = not measured
  double bytes = 0, flops = 0;       // by the task's cost formulas
  std::string unit;                  // whose peak the flops are held against
  double bound_us = 0;               // the least time by the datasheet (SOL); 0 = the card is in no table
  std::string limit;                 // what decides bound_us: "memory", or the unit; "" = not known
  std::optional<double> iou, mfu;    // shares of the datasheet's peaks, 1 = all (model/efficiency.h)
  std::optional<double> iou_reached, mfu_reached;  // the same of what `kbx calibrate` measured
  bool compared = true;              // false: nobody could say whether the values are right at this size; no mean counts it
  bool claimed = false;              // in_process by the candidate's own doing: then there is no mean
  std::vector<std::string> notes;    // "repeated: below the physical floor", "no interval: 3 groups", ...

  bool measured() const { return problem.empty(); }
};

struct Timing {
  std::string gpu, board, driver;    // name, UUID, version
  std::vector<SizeTiming> sizes;
  std::optional<Peaks> peaks, reached;  // what iou, mfu and what iou_reached, mfu_reached are shares of
  // Geometric means over the measured sizes whose values were compared (which those are is the task's doing, not a candidate's);
  // absent when a size has no time, or one that is the candidate's own word: no row is dropped.
  std::optional<double> speedup, low, high, host_speedup, iou, mfu, iou_reached, mfu_reached;
};

}  // namespace kbx
