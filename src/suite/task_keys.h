// The keys of task.toml, one table a section: what the parser checks and what the JSON Schema says. Masks of
// kinds in [oracle]: bit OracleKind.
#pragma once
#include "toml/keys.h"

namespace kbx::suite {

using toml::Key;
using toml::Keys;

Keys task_keys();
Keys oracle_keys();
Keys paper_bound_keys();  // [oracle] paper = { ... }
Keys outlier_keys();
Keys case_keys();
Keys perf_keys();
Keys cost_keys();
Keys tensor_keys();         // of a tensor argument, without its distribution's parameters
Keys special_value_keys();  // { none = true } and friends: exactly one of them

}  // namespace kbx::suite
