// Code blocks of a Markdown reply, found as CommonMark (0.31, section 4.5) finds fenced code, with what models do
// beside it: fences indented in lists, an opening fence at the end of a sentence, a docstring that holds a fence, a
// fence that is never closed.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kbx::intake {

struct Block {
  std::string tag;      // first word of the info string, lower case, without braces and dots: "python", "triton", ""
  std::string content;  // without the fences, dedented by the fence's indentation, line ends "\n"
  bool closed = false;
  size_t begin = 0;  // byte of the opening fence in the text
  size_t end = 0;    // byte behind the closing fence's line; the text's end when not closed
};

std::vector<Block> find_blocks(std::string_view text);

}  // namespace kbx::intake
