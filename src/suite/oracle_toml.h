// [oracle], [oracle.at."PATH"], a case's oracle -> Oracle.
#pragma once
#include <map>
#include <string>

#include "model/task.h"
#include "toml/reader.h"

namespace kbx::suite {

// Fills task.oracle and task.oracle_at; task.entry and task.mutates are read for the names that oracles use.
void read_oracles(toml::Faults& faults, const toml::Node& table, Task& task);
// The oracle that a case brings for itself; `where` names the case in faults. That it is a table was checked.
Oracle read_case_oracle(toml::Faults& faults, const toml::Node& table, const Task& task, const std::string& where);

}  // namespace kbx::suite
