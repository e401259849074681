// [oracle], [oracle.at."PATH"] -> Oracle.
#pragma once
#include <map>
#include <string>

#include "model/task.h"
#include "suite/toml_reader.h"

namespace kbx::suite {

// Fills task.oracle and task.oracle_at; task.entry and task.mutates are read for the names that oracles use.
void read_oracles(Faults& faults, const TomlNode& table, Task& task);

}  // namespace kbx::suite
