// What speaks for and against a piece of a reply.
#include "intake/piece.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "intake/published_tests.h"
#include "intake/special_tokens.h"

namespace kbx::intake {

std::tuple<bool, bool, bool, bool, bool, bool> Piece::score(const Target& target) const {
  return {defines_target(shape, target), kernel, shape.valid, !has_placeholder(code), is_python_tag(tag), closed};
}

bool defines_target(const PythonShape& shape, const Target& target) {
  if (shape.defines("kernel_function")) return true;
  if (target.names.empty())
    return std::any_of(shape.definitions.begin(), shape.definitions.end(),
                       [](const Definition& d) { return d.is_function && !d.is_kernel; });
  return std::any_of(target.names.begin(), target.names.end(), [&](const auto& name) { return shape.defines(name); });
}

bool is_python_tag(std::string_view tag) {
  for (std::string_view t : {"python", "py", "python3", "triton", "tritonpython", "trion", "triton-python"})
    if (t == tag) return true;
  return false;
}

bool has_placeholder(std::string_view code) {
  for (const auto& line : split_lines(code)) {
    std::string text = trim(line);
    if (text.empty() || text[0] != '#') continue;
    if (text.find("...") == text.npos && text.find("\xE2\x80\xA6") == text.npos) continue;
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    for (std::string_view phrase :
         {"rest ", "unchanged", "existing", "same as", "as before", "remaining", "omitted", "previous"})
      if (text.find(phrase) != text.npos) return true;
  }
  return false;
}

bool is_diff(std::string_view code) {
  size_t lines = 0, plus = 0, minus = 0, hunks = 0;
  for (const auto& line : split_lines(code)) {
    if (trim(line).empty()) continue;
    lines++;
    if (starts_with(line, "@@ ") || starts_with(line, "diff --git")) hunks++;
    plus += line[0] == '+';
    minus += line[0] == '-';
  }
  return hunks > 0 || (plus > 0 && minus > 0 && 2 * (plus + minus) >= lines);
}

Piece make_piece(std::string code, std::string how) {
  Piece piece;
  piece.how = std::move(how);
  auto kept = before_published_tests(code);
  piece.tests_cut = kept.size() != code.size();
  CleanCode clean = clean_special_tokens(std::string(kept));
  piece.code = std::move(clean.code);
  piece.shape = std::move(clean.shape);
  piece.text_after_end = clean.text_after_end;
  piece.kernel = piece.shape.has_kernel;
  return piece;
}

Piece make_piece(const Block& block) {
  Piece piece = make_piece(block.content, "fence");
  piece.tag = block.tag;
  piece.closed = block.closed;
  return piece;
}

}  // namespace kbx::intake
