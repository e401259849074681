// The run as people see it in a terminal: one table by category, one by verdict, and what to do next.
#pragma once
#include <string>

#include "report/summary.h"

namespace kbx::report {

// `colour`: ANSI colours around verdict words.
std::string terminal_summary(const Summary& summary, double wall_seconds, bool colour);
// One candidate in one line: mark, verdict, candidate, task, seconds, why.
std::string terminal_line(const Record& record, bool colour, size_t width);
// The resource table of Record::compiled; "" when there is none.
std::string terminal_resources(const Record& record);
// One candidate in full: explanation, cases, findings, resource table.
std::string terminal_candidate(const Record& record, const std::string& source, bool colour);

}  // namespace kbx::report
