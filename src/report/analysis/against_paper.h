// Published figures beside ours. The figures are data (paper_figures.json); nothing of them is computed here.
#pragma once
#include "report/analysis/study.h"
#include "report/analysis/write.h"

namespace kbx::report {

// One row a figure: the claim, the published value, ours by kbx's rules and by the published ones with intervals, and why
// the two cannot be compared, if they cannot. `sections`: all analyses of the study.
Section against_paper_table(const Study& study, const Sections& sections);

}  // namespace kbx::report
