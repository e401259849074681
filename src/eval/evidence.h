// What the judge is shown of one output of one case.
#pragma once
#include "eval/truth.h"
#include "judge/judge.h"

namespace kbx::eval {

// Everything but `got` and `got_again`. Refers to `task`, `truth` and the root's values: they must outlive it.
judge::Evidence evidence_for(const Task& task, const CaseTruth& truth, const std::string& root, const CaseTruth::Root& expected);

}  // namespace kbx::eval
