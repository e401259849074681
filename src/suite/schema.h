// JSON Schema (2020-12) of task.toml, made from the same key tables that the parser checks against (task_keys.h).
#pragma once
#include "base/json.h"

namespace kbx::suite {

Json task_schema();

}  // namespace kbx::suite
