// Efficiency: how near a measured time comes to what the card can do (docs/efficiency.md).
//   IOU = bytes / time / bandwidth        the bytes the task must move, each input read once, each output written once
//   MFU = flops / time / peak(unit)       the operations the task must do, against the peak of their unit
//   bound (SOL) = max(bytes / bandwidth, flops / peak(unit))
// Shares of 1, never clamped: outputs that are still in the L2 when the clock stops, or a card that runs above the clock
// its document states, give more than 1.
#pragma once
#include <vector>

#include "model/measurement.h"
#include "model/peaks.h"
#include "model/timing.h"

namespace kbx {

// The least time by these peaks, microseconds; 0 = neither part is known. A part whose peak is absent is left out, which
// only lowers the bound. `limit`: "memory" or the unit's text; "" = unknown.
struct Bound {
  double us = 0;
  std::string limit;
};
Bound bound_of(const CallCost& cost, const Peaks& peaks);

// Absent where there is no time, no work, or no peak.
std::optional<double> iou_of(const CallCost& cost, double us, const Peaks& peaks);
std::optional<double> mfu_of(const CallCost& cost, double us, const Peaks& peaks);

// No time below this can be true, whatever the kernel: as bound_of, but for the bytes that may stay in the L2, and with
// kClockMargin for the clock. 0 = not known. A time below it is a failure of the harness until it is explained.
inline constexpr double kClockMargin = 1.25;  // cards run above the clock by which documents state their peaks
double physical_floor_us(const CallCost& cost, const Peaks& peaks, double l2_bytes);

// exp of the mean of logs; absent for an empty list or a value that is not above 0.
std::optional<double> geometric_mean(const std::vector<double>& values);

// Fills bound_us, limit, iou, mfu, iou_reached, mfu_reached of every measured size from its bytes, flops and unit; the
// peaks; and the means, by update_means(). Null = not known: what needs it is absent. May be called again.
void complete(Timing& timing, const Peaks* datasheet, const Peaks* calibrated);

// The means over sizes, in the log domain. Each is absent unless every size that was compared has its part, and no size is
// the candidate's own word. The interval of the mean of n
// sizes: half width (in logs) sqrt(sum of squares of the sizes' half widths) / n, as the sizes are measured apart.
void update_means(Timing& timing);

}  // namespace kbx
