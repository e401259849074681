// guess(): what kind of mistake the wrong values look like, from the pattern within a case and over the cases.
#pragma once
#include <string>

#include "model/record.h"
#include "model/task.h"

namespace kbx::agent {

// One phrase or a few, joined by "; ", the most telling first; "" = nothing is striking. `task` may be null: then only
// the patterns within cases are known.
std::string guess_of(const Record& record, const Task* task);

}  // namespace kbx::agent
