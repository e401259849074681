// Scenarios of servers that mean harm; played by name like the others (fault_scenarios.h).
#pragma once
#include <map>
#include <string>

#include "fault_server.h"

namespace kbx::llm::faults {

using Play = Script (*)(const Seen&);
const std::map<std::string, Play>& hostile_scenarios();

}  // namespace kbx::llm::faults
