// Which operations the machine has: for the document that lists them (docs/ir-operations.md) and its test.
#pragma once
#include <string_view>
#include <vector>

namespace kbx::ir {

// Every row of every table, sorted.
std::vector<std::string_view> operation_names();

}  // namespace kbx::ir
