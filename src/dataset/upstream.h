// The published corpus' records, by its field names (data/kbx_corpus of the benchmark), so that its scripts read ours: one
// object a transition with both sides, the diff and the method's memory; the fields of memory, null in every published
// record, hold what the run kept. Flags and kinds are those of the published rules; what kbx says stands beside them under
// "kbx".
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "dataset/attempt.h"
#include "dataset/diff.h"
#include "dataset/transition.h"

namespace kbx::dataset {

// "exe_fail_to_pass", "call_fail_to_pass", "perf_ok_newly", "speedup_increase", "speedup_decrease", "regression_call",
// "regression_exe", "regression_perf": all that apply. Empty: nothing changed.
std::vector<std::string> upstream_kinds(const Attempt& before, const Attempt& after);

Json upstream_record(const Attempt& before, const Attempt& after, Relation relation, const Diff& diff, const std::string& run);

}  // namespace kbx::dataset
