// `kbx eval --json`: one object a candidate in input order, the last line the summary. Programs read this: fields may be
// added, never renamed (`kbx eval --schema`, versioned).
#pragma once
#include "base/json.h"
#include "report/summary.h"

namespace kbx::report {

inline constexpr int kJsonLinesVersion = 1;

Json json_line(const Record& record);
Json json_summary(const Summary& summary, double wall_seconds);
// JSON Schema (2020-12) that every line validates against.
Json json_lines_schema();

}  // namespace kbx::report
