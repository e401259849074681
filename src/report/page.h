// The HTML report: one file that needs nothing else, neither a network nor a server. Template, style and scripts lie in
// src/report/page/ and are embedded at configure time, Chart.js with them.
//
// Everything that a candidate or its input file said is hostile. It enters the file only inside JSON data blocks, which
// cannot be left (script_json), and the page shows it as text. A content security policy allows exactly the scripts and
// the style that belong to the report, by their hashes.
#pragma once
#include <functional>
#include <string>

#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

// What the site's page of candidates has beside the report's (report/site.h).
struct PageExtra {
  std::string nav;                        // HTML of ours
  std::function<void(const Sink&)> data;  // writes the page's data; the details are then in packs beside the page, and the policy allows scripts of its own folder
};

inline constexpr size_t kPageSourceMost = 400000;  // bytes of one candidate's code
// A candidate's code as a page shows it: UTF-8, at most so long; a comment that says so where the run has lost it.
std::string page_source(const store::Store& store, const Record& record);

// Written piece by piece; three passes over the runs. The table's data come first, each candidate's details after the
// scripts, so that a browser shows the table before it has read a big file to its end.
Result<void> write_page(const Runs& runs, const Sink& out, const PageExtra& extra);
inline Result<void> write_page(const Runs& runs, const Sink& out) { return write_page(runs, out, {}); }

// JSON as the content of <script type="application/json">: '<' is escaped, so no text can end the element or open a
// comment. Invalid UTF-8 is replaced.
std::string script_json(const Json& value);

// "sha256-<base64>" of a script or style, as a content security policy names it.
std::string policy_hash(std::string_view text);

}  // namespace kbx::report
