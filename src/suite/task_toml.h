// task.toml -> Task (docs/task_format.md). Reads text, not files; the Python sources are attached by suite.h.
#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/task.h"

namespace kbx::suite {

// Every fault of the file is reported, not just the first: one line each, "FILE:LINE:COLUMN: what; what to do".
// What it promises of a returned task: every case binds to the entry, every name that an oracle, [outlier], `mutates`
// or [cost] uses is a parameter, and make_call() accepts every case.
Result<Task> parse_task(std::string_view text, const std::string& filename);

}  // namespace kbx::suite
