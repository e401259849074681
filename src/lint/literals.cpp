// string_literal(): Python's escapes (language reference, section 2.4.1).
#include "lint/literals.h"

#include <charconv>

namespace kbx::lint {
namespace {

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xC0 | (c >> 6));
    out += char(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += char(0xE0 | (c >> 12));
    out += char(0x80 | ((c >> 6) & 0x3F));
    out += char(0x80 | (c & 0x3F));
  } else if (c < 0x110000) {
    out += char(0xF0 | (c >> 18));
    out += char(0x80 | ((c >> 12) & 0x3F));
    out += char(0x80 | ((c >> 6) & 0x3F));
    out += char(0x80 | (c & 0x3F));
  }
}

// Reads up to `most` digits of `base` at `at` and moves past them.
uint32_t read_number(std::string_view text, size_t& at, size_t most, int base) {
  std::string_view digits = text.substr(at, most);
  uint32_t value = 0;
  auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  at += size_t(end - digits.data());
  return value;
}

void append_escape(std::string& out, std::string_view text, size_t& at) {
  static constexpr std::string_view kFrom = "abfnrtv", kTo = "\a\b\f\n\r\t\v";
  char c = text[at++];
  if (size_t i = kFrom.find(c); i != std::string_view::npos) {
    out += kTo[i];
  } else if (c == 'x' || c == 'u' || c == 'U') {
    append_utf8(out, read_number(text, at, c == 'x' ? 2 : c == 'u' ? 4 : 8, 16));
  } else if (c >= '0' && c <= '7') {
    append_utf8(out, read_number(text, --at, 3, 8));
  } else if (c == '\\' || c == '\'' || c == '"') {
    out += c;
  } else if (c != '\n') {  // a backslash before a line end joins the lines; an unknown escape stays
    out += '\\';
    out += c;
  }
}

}  // namespace

std::optional<std::string> string_literal(const Source& source, NodeId string) {
  std::string out;
  bool raw = false;
  for (NodeId c = source.first(string); c != kNoNode; c = source.next(c)) {
    std::string_view kind = source.kind(c), text = source.text(c);
    if (kind == "string_start") raw = text.find_first_of("rR") != std::string_view::npos;
    if (kind == "interpolation") return std::nullopt;
    if (kind != "string_content") continue;
    for (size_t at = 0; at < text.size();) {
      char ch = text[at++];
      if (ch == '\\' && !raw && at < text.size())
        append_escape(out, text, at);
      else
        out += ch;
    }
  }
  return out;
}

}  // namespace kbx::lint
