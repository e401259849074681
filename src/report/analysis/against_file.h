// Verdicts and speedups that others published for the very candidates of a run, beside what kbx says of them.
#pragma once
#include <filesystem>

#include "report/analysis/write.h"
#include "report/runs.h"

namespace kbx::report {

// `file`: the JSON lines that were judged; a line's `published` is {"call_ok", "exe_ok", "speedup"}, each true, false, a
// number or null. A line belongs to the candidate with its `id`, else to FILE:LINE, as `kbx eval` names it. Tables
// published_verdicts and published_speed. Errors: code usage when the file is no JSON lines or no line of it is in the runs.
Result<Sections> against_file(const Runs& runs, const std::filesystem::path& file);

}  // namespace kbx::report
