// Finding an argument; defaults are Python text.
#include "judge/arguments.h"

#include <cstdlib>

#include "judge/view.h"

namespace kbx::judge {

const Value* argument(const Task& task, const Call& call, const std::string& name) {
  if (name.empty()) return nullptr;
  for (const auto& [key, value] : call.kwargs)
    if (key == name) return &value;
  for (size_t k = 0; k < task.entry.parameters.size() && k < call.args.size(); k++) {
    const Parameter& p = task.entry.parameters[k];
    if (p.kind != Parameter::Kind::positional) break;  // a variadic takes the rest, keywords are never positional
    if (p.name == name) return &call.args[k];
  }
  return nullptr;
}

std::optional<double> number_argument(const Task& task, const Call& call, const std::string& name) {
  if (const Value* value = argument(task, call, name)) {
    if (!is_numeric_leaf(*value)) return std::nullopt;
    View view(leaf_tensor(*value));
    return view.count() == 1 ? std::optional(view.at(0)) : std::nullopt;
  }
  for (const Parameter& p : task.entry.parameters) {
    if (p.name != name || !p.default_text) continue;
    if (*p.default_text == "True") return 1;
    if (*p.default_text == "False") return 0;
    char* end = nullptr;
    double number = std::strtod(p.default_text->c_str(), &end);
    if (end != p.default_text->c_str() && *end == 0) return number;
  }
  return std::nullopt;
}

std::optional<bool> flag_argument(const Task& task, const Call& call, const std::string& name) {
  auto number = number_argument(task, call, name);
  return number ? std::optional(*number != 0) : std::nullopt;
}

}  // namespace kbx::judge
