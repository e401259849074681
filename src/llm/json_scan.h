// JsonScan: reads one JSON text from front to back without building it, for the events of streams: hundreds a reply, each a
// frame around a few letters. It is stricter than parse_json(): what it takes, parse_json() takes and reads as the same; it
// may give up on what parse_json() takes (\u escapes, deep nesting, huge numbers). After a `false` nothing it read counts.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"

namespace kbx::llm {

class JsonScan {
 public:
  explicit JsonScan(std::string_view text) : text_(text) {}

  // An object: `value(key)` for each member reads the value that stands there and says whether it could. A key has no
  // escapes; equal keys are the caller's to refuse.
  template <class Value>
  bool members(Value value) {
    if (!sign('{')) return false;
    if (sign('}')) return true;
    do {
      std::string_view key;
      if (!plain_string(key) || !sign(':') || !value(key)) return false;
    } while (sign(','));
    return sign('}');
  }
  // An array: `value()` for each element.
  template <class Value>
  bool elements(Value value) {
    if (!sign('[')) return false;
    if (sign(']')) return true;
    do
      if (!value()) return false;
    while (sign(','));
    return sign(']');
  }
  bool string(std::string& out);  // is added to `out`
  bool null() { return word("null"); }
  bool integer(int64_t& out);
  bool skip() { return skip(kMostDepth); }  // any value
  bool at_end();

 private:
  static constexpr int kMostDepth = 16;
  bool skip(int depth);
  void blanks();
  bool sign(char c);
  bool word(std::string_view word);
  bool number(std::string_view& out);
  bool plain_string(std::string_view& out);
  // The bytes between two quotes as they stand.
  bool raw_string(std::string_view& out, bool& escapes);

  std::string_view text_;
};

}  // namespace kbx::llm
