#include "store/json_cut.h"

#include <charconv>
#include <cmath>

namespace kbx::store {

std::vector<std::string_view> list_parts(std::string_view list) {
  std::vector<std::string_view> out;
  if (list.size() < 2 || list.front() != '[') return out;
  int depth = 0;
  bool quoted = false;
  size_t begin = 1;
  for (size_t k = 1; k < list.size(); k++) {
    char c = list[k];
    if (quoted) {
      if (c == '\\') k++;
      else if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    else if (c == '{' || c == '[') depth++;
    else if (c == '}' || (c == ']' && depth > 0)) depth--;
    else if (depth == 0 && (c == ',' || c == ']')) {
      if (k > begin) out.push_back(list.substr(begin, k - begin));
      begin = k + 1;
      if (c == ']') break;
    }
  }
  return out;
}

std::optional<double> number_part(const RecordParts& object, std::string_view name) {
  std::string_view text = object.text(name);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return value;
  if (text == "\"nan\"") return NAN;
  if (text == "\"inf\"") return INFINITY;
  if (text == "\"-inf\"") return -INFINITY;
  return std::nullopt;
}

}  // namespace kbx::store
