// Scenarios: the fault server's scripts by name, the same for our own client and for the vendors' SDKs. The name is the
// first part of the path: POST /overloaded.1/v1/messages plays "overloaded"; the number keeps counts apart.
#pragma once
#include <string>
#include <vector>

#include "fault_server.h"

namespace kbx::llm::faults {

// 404 for a name that is not known. The protocol follows from the path's end.
Script play(const Seen& request);
std::vector<std::string> scenario_names();

// What "ok" and its like say.
inline const std::string kText = "Gr\xC3\xBC\xC3\x9F" "e \xF0\x9F\x9A\x80";  // two and four byte letters

}  // namespace kbx::llm::faults
