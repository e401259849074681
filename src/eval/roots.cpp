#include "eval/roots.h"

#include <cmath>

#include "judge/view.h"

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

bool same_numbers(const Value& before, const Value& after) {
  auto old_tensors = tensors_of(before, ""), new_tensors = tensors_of(after, "");
  if (old_tensors.size() != new_tensors.size()) return false;
  for (size_t k = 0; k < old_tensors.size(); k++) {
    judge::View was(*old_tensors[k].tensor), is(*new_tensors[k].tensor);
    if (was.shape() != is.shape()) return false;
    for (int64_t i = 0; i < was.count(); i++) {
      std::complex<double> a = was.complex_at(i), b = is.complex_at(i);
      if (a != b && !(std::isnan(a.real()) && std::isnan(b.real()))) return false;
    }
  }
  return true;
}

}  // namespace kbx::eval
