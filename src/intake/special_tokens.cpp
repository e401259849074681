// Taking leaked chat-template tokens out of code.
#include "intake/special_tokens.h"

#include <cctype>

namespace kbx::intake {
namespace {

// Length of the special token at text[at], 0 when there is none.
size_t token_length(std::string_view text, size_t at) {
  if (text[at] != '<') return 0;
  for (std::string_view fixed : {"</s>", "<eos>", "<end_of_turn>", "<start_of_turn>"})
    if (text.substr(at, fixed.size()) == fixed) return fixed.size();
  constexpr std::string_view kWide = "<\xEF\xBD\x9C";  // DeepSeek writes the bar as U+FF5C
  bool wide = text.substr(at, kWide.size()) == kWide;
  if (!wide && text.substr(at, 2) != "<|") return 0;
  std::string_view close = wide ? "\xEF\xBD\x9C>" : "|>";
  size_t begin = at + (wide ? kWide.size() : 2);
  size_t end = text.substr(begin, 40).find(close);
  if (end == text.npos || end == 0) return 0;
  for (char c : text.substr(begin, end)) {
    auto u = static_cast<unsigned char>(c);
    if (!std::isalnum(u) && c != '_' && u < 0x80) return 0;
  }
  return begin + end + close.size() - at;
}

}  // namespace

CleanCode clean_special_tokens(std::string code) {
  std::string removed;
  size_t first = code.npos;
  for (size_t i = 0; i < code.size();) {
    if (size_t n = token_length(code, i)) {
      if (first == code.npos) first = i;
      i += n;
    } else {
      removed += code[i++];
    }
  }
  PythonShape as_is = shape_of(code);
  if (as_is.valid || first == code.npos) return {std::move(code), std::move(as_is), false};
  PythonShape without = shape_of(removed);
  if (!without.valid) {
    std::string head = code.substr(0, first);
    PythonShape front = shape_of(head);
    if (front.valid && front.has_code) return {std::move(head), std::move(front), true};
  }
  return {std::move(removed), std::move(without), false};
}

}  // namespace kbx::intake
