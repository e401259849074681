// Table: the columns and rows of one data set. Flat on purpose: every column is one optional scalar, so JSON lines and
// Parquet hold the same, and what is a list or an object is JSON text in a string column.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"

namespace kbx::dataset {

enum class Type : unsigned char { boolean, integer, real, text };

struct Column {
  std::string name;
  Type type = Type::text;
  std::string meaning;  // for the card
};

using Cell = std::variant<std::monostate, bool, int64_t, double, std::string>;  // monostate: null
using Row = std::vector<Cell>;  // one cell a column, of the column's type or null

// One line, all columns in order; a number that is not finite is null.
std::string json_line(const std::vector<Column>& columns, const Row& row);

}  // namespace kbx::dataset
