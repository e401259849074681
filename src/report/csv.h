// CSV (RFC 4180): one row a candidate, one header row, CRLF line ends. Programs read this: columns may be added at the
// end, never renamed.
#pragma once
#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

Result<void> write_csv(const Runs& runs, const Sink& out);

std::string_view csv_header();
std::string csv_row(const std::string& run, const Record& record);

// One field. Quoted where RFC 4180 asks for it; text that a spreadsheet would take for a formula (= + - @, their
// full-width forms, a tab or line end; in front, or behind a semicolon, tab or line end: separators elsewhere) gets an
// apostrophe before it, so opening a report runs nothing that a candidate wrote.
std::string csv_text(std::string_view text);

}  // namespace kbx::report
