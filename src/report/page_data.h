// What the HTML page shows, as JSON: compact (arrays, verdicts by number, metrics to four digits), because a run of ten
// thousand candidates goes into one file. The readers are page/data.js, page/cases.js and page/candidate.js; data and
// readers travel in one file, so this form has no versions.
#pragma once
#include "report/runs.h"

namespace kbx::report {

// All that is not about one candidate: runs, verdicts, the summary's counts; `rows` is left to the caller.
Json page_head(const Runs& runs, const Summary& summary);
// One row of the table: [run, candidate, task, category, sample, verdict, paper, stages, seconds, rules, why, times].
Json page_row(size_t run, const Record& record);
// One candidate's own page; `source`: number of the block that holds its code.
Json page_detail(const Record& record, size_t source);

}  // namespace kbx::report
