// The names in the tables.
#include "ir/operation_names.h"

#include <algorithm>

#include "ir/op_row.h"

namespace kbx::ir {

std::vector<std::string_view> operation_names() {
  std::vector<std::string_view> names;
  for (auto rows : {constant_rows(), shuffle_rows(), memory_rows(), reduce_rows(), control_rows(), function_rows(),
                    select_rows(), region_rows(), dot_rows(), asm_rows()})
    for (const auto& row : rows) names.push_back(row.name);
  for (auto rows : {integer_rows(), float_rows(), compare_rows(), cast_rows(), math_rows(), pointer_rows()})
    for (const auto& row : rows) names.push_back(row.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace kbx::ir
