// Arguments: a call's values by parameter name, with the signature's defaults where the call gives none.
#pragma once
#include <optional>
#include <string>

#include "model/task.h"
#include "model/value.h"

namespace kbx::judge {

// Null where the call does not give the parameter (or the name is empty).
const Value* argument(const Task& task, const Call& call, const std::string& name);
// Given or default; nullopt for None, tensors of more than one element, and what is no number.
std::optional<double> number_argument(const Task& task, const Call& call, const std::string& name);
std::optional<bool> flag_argument(const Task& task, const Call& call, const std::string& name);

}  // namespace kbx::judge
