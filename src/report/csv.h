// CSV (RFC 4180): one row a candidate, one header row, CRLF line ends. Programs read this: columns may be added at the
// end, never renamed.
#pragma once
#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

Result<void> write_csv(const Runs& runs, const Sink& out);

// One field. Quoted where RFC 4180 asks for it; text that a spreadsheet would take for a formula (= + - @, tab, CR in
// front) gets an apostrophe before it, so opening a report runs nothing that a candidate wrote.
std::string csv_text(std::string_view text);

}  // namespace kbx::report
