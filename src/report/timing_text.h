// Times as tables for a terminal, and the few ways in which every report writes such numbers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/aa_result.h"
#include "model/calibration.h"
#include "report/timing_summary.h"

namespace kbx::report {

// A row a candidate, then the aggregates; "" when nothing has a timing.
std::string timing_summary_text(const TimingSummary& summary);
// The aggregates alone, a sentence a line, without line end at the end.
std::vector<std::string> timing_aggregates(const TimingSummary& summary);
// A row a size, the task's means, the notes; "" without a timing.
std::string timing_text(const Record& record);

// What `kbx calibrate` prints. `datasheet` may be null: then without shares.
std::string calibration_text(const Calibration& calibration, const Peaks* datasheet);
// Kernels against themselves, then known differences, then what went wrong.
std::string aa_text(const AaResults& results);

std::string ratio_text(const std::optional<double>& ratio);       // "1.484", "12.3"; "-" when absent
std::string interval_text(const std::optional<double>& low, const std::optional<double>& high);  // "[1.470, 1.499]"
std::string percent_text(const std::optional<double>& share);     // "83%", "4.8%"

}  // namespace kbx::report
