// The JSON report: {"version", "runs": [facts], "summary", "records": [whole records]}. Programs read this: fields may
// be added, never renamed. Records have the store's own form (store/record_json.h) and name their run.
#pragma once
#include "report/runs.h"
#include "report/sink.h"

namespace kbx::report {

inline constexpr int kJsonDocumentVersion = 1;

// Written piece by piece: a run of any size needs the memory of one record.
Result<void> write_json(const Runs& runs, const Sink& out);

}  // namespace kbx::report
