// literal_value(): the small part of Python's expressions that defaults are written in.
#include <cctype>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "suite/binding.h"

namespace kbx::suite {
namespace {

constexpr int kMaxDepth = 32;

// Recursive descent; nullopt = not a literal.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<Value> whole() {
    auto value = read(0);
    skip();
    return at_ == text_.size() ? value : std::nullopt;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) at_++;
  }
  bool take(std::string_view word) {
    skip();
    if (text_.substr(at_, word.size()) != word) return false;
    size_t end = at_ + word.size();
    bool name = std::isalpha(static_cast<unsigned char>(word[0]));
    if (name && end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      return false;
    at_ = end;
    return true;
  }

  std::optional<Value> read(int depth) {
    if (depth > kMaxDepth) return std::nullopt;
    if (take("None")) return Value{};
    if (take("True")) return Value::of_bool(true);
    if (take("False")) return Value::of_bool(false);
    if (take("(")) return sequence(ValueKind::tuple, ")", depth);
    if (take("[")) return sequence(ValueKind::list, "]", depth);
    skip();
    if (at_ >= text_.size()) return std::nullopt;
    if (text_[at_] == '\'' || text_[at_] == '"') return string();
    return number();
  }

  std::optional<Value> sequence(ValueKind kind, std::string_view close, int depth) {
    Value out;
    out.kind = kind;
    bool comma = false;
    while (!take(close)) {
      if (!out.items.empty() && !comma) return std::nullopt;
      auto item = read(depth + 1);
      if (!item) return std::nullopt;
      out.items.push_back(std::move(*item));
      comma = take(",");
    }
    if (kind == ValueKind::tuple && out.items.size() == 1 && !comma) return std::move(out.items[0]);  // "(1)" is 1
    return out;
  }

  std::optional<Value> string() {
    char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size() && text_[at_] != quote; at_++) {
      if (text_[at_] == '\\') return std::nullopt;
      out += text_[at_];
    }
    if (at_ == text_.size()) return std::nullopt;
    at_++;
    return Value::of_string(std::move(out));
  }

  std::optional<Value> number() {
    bool negative = false;
    while (text_[at_] == '-' || text_[at_] == '+') {
      negative ^= text_[at_++] == '-';
      skip();
      if (at_ >= text_.size()) return std::nullopt;
    }
    size_t end = at_;
    auto exponent_sign = [&] { return (text_[end] == '-' || text_[end] == '+') && (text_[end - 1] | 32) == 'e'; };
    if (!std::isdigit(static_cast<unsigned char>(text_[at_])) && text_[at_] != '.') return std::nullopt;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '.' ||
                                  text_[end] == '_' || (end > at_ && exponent_sign())))
      end++;
    std::string digits;
    for (char c : text_.substr(at_, end - at_))
      if (c != '_') digits += c;
    at_ = end;
    const char *first = digits.data(), *last = first + digits.size();
    int64_t integer = 0;
    if (auto r = std::from_chars(first, last, integer); r.ec == std::errc() && r.ptr == last)
      return Value::of_int(negative ? -integer : integer);
    double real = 0;
    if (auto r = std::from_chars(first, last, real); r.ec == std::errc() && r.ptr == last)
      return Value::of_float(negative ? -real : real);
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Value literal_value(std::string_view python_text) {
  if (auto value = Reader(python_text).whole()) return std::move(*value);
  Value object;
  object.kind = ValueKind::object;
  object.text = trim(python_text);
  return object;
}

}  // namespace kbx::suite
