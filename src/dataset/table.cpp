// Table: see the header.
#include "dataset/table.h"

#include <cmath>

namespace kbx::dataset {

std::string json_line(const std::vector<Column>& columns, const Row& row) {
  Json out = Json::object();
  for (size_t k = 0; k < columns.size(); k++) {
    Json& cell = out[columns[k].name];
    if (auto* b = std::get_if<bool>(&row[k])) cell = *b;
    else if (auto* i = std::get_if<int64_t>(&row[k])) cell = *i;
    else if (auto* d = std::get_if<double>(&row[k])) cell = std::isfinite(*d) ? Json(*d) : Json();
    else if (auto* s = std::get_if<std::string>(&row[k])) cell = *s;
  }
  return dump_json(out) + "\n";
}

}  // namespace kbx::dataset
