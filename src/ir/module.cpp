// Attribute look-up.
#include "ir/module.h"

#include "ir/scan_text.h"

namespace kbx::ir {

bool Op::has(std::string_view key) const {
  for (const auto& a : attributes)
    if (a.key == key) return true;
  return false;
}

std::string_view Op::text(std::string_view key) const {
  for (const auto& a : attributes)
    if (a.key == key) return a.value;
  return {};
}

std::optional<int64_t> Op::integer(std::string_view key, int64_t absent) const {
  return has(key) ? scan_integer(text(key)) : absent;
}

std::optional<std::vector<int64_t>> Op::list(std::string_view key) const {
  if (!has(key)) return std::vector<int64_t>{};
  return scan_array(text(key), 64);
}

}  // namespace kbx::ir
