// The analyses: each is a pure function from a Study to a table (and a chart where a picture says more). The list is
// analyses.cpp; a new one is a file here and a line there.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/study.h"
#include "report/analysis/table.h"

namespace kbx::report {

// What stands above all tables: the runs, what was left out, and what makes runs hard to compare.
Section runs_table(const Study& study);

// Of judged candidates, the share that came so far: compile, call, standard inputs, outlier inputs, correct; by kbx and by
// the published rules.
Section stages_by_category(const Study& study);
Section stages_by_method(const Study& study);
// Failures by class (no program, forbidden, compile, run, semantic), verdict, and what exactly: oracle, rule, exception.
Section failures_table(const Study& study);
// Of what the published rules take: kbx's verdict, by method.
Section rules_apart_table(const Study& study);
// Deviance of correctness explained by category, method, both, both with interaction.
Section deviance_table(const Study& study);
Section deviance_steps_table(const Study& study);
// Iteration: per round, and of kernels that were wrong or right before.
Section rounds_table(const Study& study);
Section transitions_table(const Study& study);
// Times of correct kernels.
Section speed_table(const Study& study);
Section fast_p_table(const Study& study);
Section efficiency_table(const Study& study);
// Samples.
Section pass_at_table(const Study& study);
// What solving costs in generation runs.
Section cost_table(const Study& study);
Section equal_budget_table(const Study& study);
// The six quantization tasks.
Section quantization_table(const Study& study);
// Cards and architectures.
Section across_gpus_table(const Study& study);
Section winners_table(const Study& study);
Section architectures_table(const Study& study);
Section unportable_table(const Study& study);

struct AnalysisEntry {
  const char* id;
  const char* what;
  Section (*make)(const Study&);
};
std::span<const AnalysisEntry> analyses();

}  // namespace kbx::report
