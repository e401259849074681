// The mends of ExtractMode::repair.
#include "intake/repair.h"

#include <vector>

#include "base/text.h"
#include "intake/piece.h"
#include "intake/python_shape.h"

namespace kbx::intake {
namespace {

std::string ascii_punctuation(const std::string& code) {
  struct Pair {
    std::string_view from, to;
  };
  constexpr Pair kPairs[] = {{"\xE2\x80\x9C", "\""}, {"\xE2\x80\x9D", "\""}, {"\xE2\x80\x98", "'"},
                             {"\xE2\x80\x99", "'"},  {"\xC2\xA0", " "},      {"\xE2\x80\xAF", " "},
                             {"\xE2\x80\x8B", ""},   {"\xEF\xBB\xBF", ""}};
  std::string out;
  for (size_t i = 0; i < code.size();) {
    bool replaced = false;
    for (const auto& p : kPairs) {
      if (std::string_view(code).substr(i, p.from.size()) != p.from) continue;
      out += p.to;
      i += p.from.size();
      replaced = true;
      break;
    }
    if (!replaced) out += code[i++];
  }
  return out;
}

bool begins_code(const std::string& line) {
  for (std::string_view word : {"import ", "from ", "@", "def ", "class ", "#", "\"\"\""})
    if (starts_with(line, word)) return true;
  return false;
}

std::string without_leading_prose(const std::string& code) {
  for (size_t at = 0; at < code.size();) {
    size_t end = code.find('\n', at);
    if (begins_code(code.substr(at, end == code.npos ? end : end - at))) return code.substr(at);
    if (end == code.npos) break;
    at = end + 1;
  }
  return code;
}

// The lines in front of the first one that is not Python, again and again while that helps.
std::string without_tail(std::string code) {
  for (int tries = 0; tries < 16; tries++) {
    PythonShape shape = shape_of(code);
    if (shape.valid || shape.problem_line <= 1) break;
    size_t at = 0;
    for (int line = 1; line < shape.problem_line && at != code.npos; line++) {
      at = code.find('\n', at);
      if (at != code.npos) at++;
    }
    if (at == code.npos || at >= code.size()) at = code.rfind('\n', code.size() - 2) + 1;
    code.resize(at);
  }
  return code;
}

}  // namespace

std::optional<std::string> repair(const std::string& code, const Target& target) {
  PythonShape before = shape_of(code);
  if (before.valid) return std::nullopt;
  std::string mended = without_tail(without_leading_prose(ascii_punctuation(code)));
  PythonShape after = shape_of(mended);
  if (!after.valid || !after.has_code || !defines_target(after, target) || (before.has_kernel && !after.has_kernel))
    return std::nullopt;
  return mended;
}

}  // namespace kbx::intake
