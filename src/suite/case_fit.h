// Does a case fit the entry's signature?
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "model/task.h"

namespace kbx::suite {

// (argument name or "", one sentence) for each misfit; empty when the call can be made.
std::vector<std::pair<std::string, std::string>> case_misfits(const Signature& signature, const Case& which);

// The argument that a path such as "input" or "params[1]" names; nullptr when there is none.
const ArgSpec* find_spec(const Case& which, const std::string& path);

}  // namespace kbx::suite
