// lint(): the static part of stage 1. Pure: the same text gives the same findings.
#pragma once
#include <vector>

#include "lint/rule.h"

namespace kbx::lint {

// Findings in source order, layer lint, at most one per rule and line and 64 per rule. Code that neither import nor
// the entry can reach is reported as a note at most. Never fails: unreadable text is a finding.
std::vector<Finding> lint(const LintInput& input);

const std::vector<const Rule*>& all_rules();  // in the order of docs/lint.md

// The table of docs/lint.md.
std::string rules_markdown();

}  // namespace kbx::lint
