// The HTML page's data on times, for page/times.js: compact, and null without a timing.
#pragma once
#include "base/json.h"
#include "report/timing_summary.h"

namespace kbx::report {

// {"timed", "correct", "tasks", "speedup", "fast", ..., "cards": {driver's name: {"bandwidth", "units", ...}}}
Json times_head(const TimingSummary& summary);
// [gpu, speedup, low, high, host, iou, mfu, marks, problem, [[case, candidate us, eager us, bytes, flops, unit, iou, mfu], ...]];
// the sizes are those with a time.
Json times_row(const Record& record);
// {"gpu", ..., "sizes": [[case, problem, by, candidate us, eager us, speedup, low, high, host us, eager host us, iou, mfu,
// iou reached, mfu reached, bound us, limit, launch-bound, notes], ...]}
Json times_detail(const Record& record);

}  // namespace kbx::report
