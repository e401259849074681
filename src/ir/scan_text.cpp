// Scanners.
#include "ir/scan_text.h"

#include <charconv>

namespace kbx::ir {

size_t scan_unsigned(std::string_view text, uint64_t& value) {
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  return bad == std::errc() ? static_cast<size_t>(end - text.data()) : 0;
}

std::string_view strip(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquote(std::string_view text) {
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
  return text.substr(1, text.size() - 2);
}

std::optional<int64_t> scan_integer(std::string_view text) {
  text = strip(text.substr(0, text.find(':')));
  if (text == "true") return 1;
  if (text == "false") return 0;
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint64_t value = 0;
  if (size_t used = scan_unsigned(text, value); used == 0 || used != text.size()) return std::nullopt;
  return static_cast<int64_t>(negative ? 0 - value : value);
}

std::optional<double> scan_double(std::string_view text) {
  double value = 0;
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value);
  // Too large or too small for a double still names a value: infinity or zero would be a guess, so it is refused.
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<uint64_t> scan_hex(std::string_view text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return std::nullopt;
  text.remove_prefix(2);
  uint64_t value = 0;
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (bad != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<int64_t>> scan_array(std::string_view text, size_t limit) {
  if (!text.starts_with("array<") || !text.ends_with('>')) return std::nullopt;
  std::vector<int64_t> list;
  size_t colon = text.find(':');
  if (colon == text.npos) return list;  // "array<i32>" is empty
  text = text.substr(colon + 1, text.size() - colon - 2);
  while (true) {
    size_t comma = text.find(',');
    auto value = scan_integer(text.substr(0, comma));
    if (!value || list.size() == limit) return std::nullopt;
    list.push_back(*value);
    if (comma == text.npos) return list;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace kbx::ir
