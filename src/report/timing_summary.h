// TimingSummary: what the times of one run say together. Nothing is dropped: what was timed counts, what was right but
// could not be timed is counted beside it, and shares are of all judged candidates.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/record.h"

namespace kbx::report {

// The thresholds of fast_p that reports show.
inline constexpr double kFastThresholds[] = {1, 1.5, 2};

// One candidate of the suite with a timing.
struct TimedRow {
  std::string candidate, task;
  bool correct = false;
  std::optional<double> speedup, low, high, host_speedup, iou, mfu;
  int sizes = 0, launch_bound = 0;
  std::string marks;    // "in_process", "mixed", "2 of 3 sizes launch-bound", the record's flags; "; " between
  std::string problem;  // of the first size without a time; "" = all have one
  bool counts() const { return correct && speedup.has_value(); }
};

struct TimingSummary {
  int64_t judged = 0, correct = 0;   // of all judged candidates, timed or not
  std::vector<TimedRow> rows;        // input order
  std::map<std::string, Peaks> cards;  // by the driver's name: the peaks of the last record that had any

  void add(const Record& record);    // of a task in the suite
  bool empty() const { return rows.empty(); }
  int64_t timed() const;             // correct, and every size has a time
  // Over tasks, of each task's geometric mean over its timed candidates; absent when none is timed.
  std::optional<double> geometric_mean() const;
  int64_t timed_tasks() const;
  int64_t faster_than(double p) const;  // timed and speedup > p; fast_p is its share of `judged`
  int64_t slower() const;               // timed and speedup < 1
  int64_t surely_faster() const;        // the whole interval above 1
  int64_t surely_slower() const;        // below 1
};

TimedRow timed_row(const Record& record);  // of a record with a timing
// null when nothing has a timing.
Json timing_summary_json(const TimingSummary& summary);

}  // namespace kbx::report
