#include "llm/json_scan.h"

#include <array>
#include <charconv>

namespace kbx::llm {
namespace {

enum class Letter : unsigned char { plain, end, escape, high, control };

constexpr std::array<Letter, 256> kLetters = [] {
  std::array<Letter, 256> out{};
  for (size_t k = 0; k < 256; k++) out[k] = k < 0x20 ? Letter::control : k >= 0x80 ? Letter::high : Letter::plain;
  out['"'] = Letter::end;
  out['\\'] = Letter::escape;
  return out;
}();

// What a letter behind a backslash stands for; 0: not one of the short ones.
char unescaped(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return 0;
  }
}

size_t digits_at(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') end++;
  return end - at;
}

}  // namespace

void JsonScan::blanks() {
  while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\r' || text_[0] == '\t')) text_.remove_prefix(1);
}

bool JsonScan::sign(char c) {
  blanks();
  if (text_.empty() || text_[0] != c) return false;
  text_.remove_prefix(1);
  return true;
}

bool JsonScan::word(std::string_view word) {
  blanks();
  if (text_.substr(0, word.size()) != word) return false;
  text_.remove_prefix(word.size());
  return true;
}

bool JsonScan::at_end() {
  blanks();
  return text_.empty();
}

bool JsonScan::raw_string(std::string_view& out, bool& escapes) {
  if (!sign('"')) return false;
  bool high = false;
  for (size_t k = 0; k < text_.size(); k++) {
    Letter letter = kLetters[static_cast<unsigned char>(text_[k])];
    if (letter == Letter::plain) continue;
    if (letter == Letter::high) {
      high = true;
    } else if (letter == Letter::escape) {
      escapes = true;
      if (++k == text_.size() || !unescaped(text_[k])) return false;
    } else if (letter == Letter::end) {
      out = text_.substr(0, k);
      text_.remove_prefix(k + 1);
      return !high || clean_utf8(out) == out;
    } else {
      return false;
    }
  }
  return false;
}

bool JsonScan::plain_string(std::string_view& out) {
  bool escapes = false;
  return raw_string(out, escapes) && !escapes;
}

bool JsonScan::string(std::string& out) {
  std::string_view raw;
  bool escapes = false;
  if (!raw_string(raw, escapes)) return false;
  if (!escapes) {
    out += raw;
    return true;
  }
  for (size_t k = 0; k < raw.size(); k++) out += raw[k] == '\\' ? unescaped(raw[++k]) : raw[k];
  return true;
}

// Short enough that no reader overflows: 15 digits before the point, two in the exponent.
bool JsonScan::number(std::string_view& out) {
  blanks();
  size_t at = !text_.empty() && text_[0] == '-' ? 1 : 0, whole = digits_at(text_, at);
  if (whole == 0 || whole > 15 || (whole > 1 && text_[at] == '0')) return false;
  at += whole;
  if (at < text_.size() && text_[at] == '.') {
    size_t fraction = digits_at(text_, at + 1);
    if (fraction == 0) return false;
    at += 1 + fraction;
  }
  if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
    at++;
    if (at < text_.size() && (text_[at] == '+' || text_[at] == '-')) at++;
    size_t exponent = digits_at(text_, at);
    if (exponent == 0 || exponent > 2) return false;
    at += exponent;
  }
  out = text_.substr(0, at);
  text_.remove_prefix(at);
  return true;
}

bool JsonScan::integer(int64_t& out) {
  std::string_view digits;
  if (!number(digits)) return false;
  auto end = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return end.ptr == digits.data() + digits.size();
}

bool JsonScan::skip(int depth) {
  blanks();
  if (text_.empty() || depth == 0) return false;
  std::string_view text;
  bool escapes = false;
  switch (text_[0]) {
    case '{': return members([&](std::string_view) { return skip(depth - 1); });
    case '[': return elements([&] { return skip(depth - 1); });
    case '"': return raw_string(text, escapes);
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number(text);
  }
}

}  // namespace kbx::llm
