#include "eval/roots.h"

namespace kbx::eval {

std::map<std::string, Value> mutated_roots(const std::map<std::string, Tensor>& by_path) {
  std::map<std::string, Value> out;
  std::map<std::string, std::map<size_t, Value>> lists;
  for (const auto& [path, tensor] : by_path) {
    size_t bracket = path.find('[');
    if (bracket == path.npos) out[path] = Value::of_tensor(tensor);
    else lists[path.substr(0, bracket)][size_t(std::strtoul(path.c_str() + bracket + 1, nullptr, 10))] = Value::of_tensor(tensor);
  }
  for (auto& [root, items] : lists) {
    Value v;
    v.kind = ValueKind::tuple;
    for (auto& [index, item] : items) v.items.push_back(std::move(item));
    out[root] = std::move(v);
  }
  return out;
}

}  // namespace kbx::eval
