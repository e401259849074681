// Diagnostic: one thing to tell a human about a candidate, in the form that compilers use:
//   softmax.py:12:9: error: load out of bounds in softmax_kernel [out_of_bounds]
//      12 |     x = tl.load(ptr + offsets)
//         |         ^
//         = argument: `ptr` (4004 bytes), first 4 bytes past the end
//         = help: mask the load: ...
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/record.h"

namespace kbx::report {

struct Diagnostic {
  Severity severity = Severity::note;
  std::string rule, title;   // title: one line
  int line = 0, column = 0;  // 1-based; line 0 = no place, column 0 = the line's first character
  std::vector<std::pair<std::string, std::string>> notes;  // "argument" -> "`x` (4004 bytes)"
  std::string help;          // "" = none
  int more = 0;              // others with the same rule, line and title, left out
};

// Everything a record has to say: errors, then warnings, then notes; of each first what has a line, then what the verdict
// says, else in the record's order.
// A finding that says of a case what another one says of a line is told once. Wrong values come from the judgements:
// one diagnostic for each verdict, with the first such case's index, values and bound.
std::vector<Diagnostic> diagnose(const Record& record);

struct DiagnosticStyle {
  std::string file;  // what stands before the line's number
  bool colour = false;
};
// `lines`: the candidate's code. Whatever a candidate wrote is made harmless to terminals (shown()).
std::string diagnostic_text(const Diagnostic& d, const std::vector<std::string>& lines, const DiagnosticStyle& style);
// "2 errors, 1 warning"; "" when there are neither.
std::string diagnostic_count(const std::vector<Diagnostic>& list);

}  // namespace kbx::report
