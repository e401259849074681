// Findings of a run as SARIF 2.1.0. A failed candidate always has at least one result: where no finding of severity
// reject says why, its verdict and explanation stand in.
#pragma once
#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

Result<void> write_sarif(const Runs& runs, const Sink& out);

}  // namespace kbx::report
