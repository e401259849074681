// The run as people see it in a terminal: one table by category, one by verdict, and what to do next.
#pragma once
#include <string>

#include "report/summary.h"

namespace kbx::report {

// `colour`: ANSI colours around verdict words.
std::string terminal_summary(const Summary& summary, double wall_seconds, bool colour);
// One candidate in one line: mark, verdict, candidate, task, seconds, why.
std::string terminal_line(const Record& record, bool colour, size_t width);
// The resource table of Record::compiled, a row a kernel and target with the range over its forms; "" when there is none.
std::string terminal_resources(const Record& record);
struct CandidateView {
  std::string file;       // what diagnostics name; "" = the candidate's id
  bool colour = false;
  bool all_cases = true;  // false: of the cases only those that are not right
};
// One candidate in full: verdict, findings as a compiler shows them, cases, resources, feedback for hardware.
std::string terminal_candidate(const Record& record, const std::string& source, const CandidateView& view);

}  // namespace kbx::report
