// Tokens and indentation levels, hashed.
#include "agent/canonical.h"

#include <fmt/core.h>

#include <vector>

#include "base/hash.h"
#include "intake/python_tokens.h"

namespace kbx::agent {

std::string canonical_hash(std::string_view code) {
  intake::PythonTokens python = intake::tokenize(code);
  std::string text;
  std::vector<int> levels{0};  // indents of the open blocks: their depth counts, not their width
  for (const intake::LogicalLine& line : python.lines) {
    bool is_text = line.last == line.first + 1 && python.tokens[line.first].kind == intake::TokenKind::string;
    while (levels.size() > 1 && levels.back() > line.indent) levels.pop_back();
    if (line.indent > levels.back()) levels.push_back(line.indent);
    if (is_text) continue;  // a docstring
    text += fmt::format("\n{}:", levels.size());
    for (size_t k = line.first; k < line.last; k++) {
      text += ' ';
      text += python.tokens[k].text;
    }
  }
  return sha256_hex(text);
}

}  // namespace kbx::agent
