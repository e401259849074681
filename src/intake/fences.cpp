// A line-wise scan for fenced blocks.
#include "intake/fences.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "intake/python_tokens.h"

namespace kbx::intake {
namespace {

struct Line {
  std::string_view text;  // without its end
  size_t begin = 0, next = 0;
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> out;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    size_t next = end == text.npos ? text.size() : end + 1;
    auto line = text.substr(at, (end == text.npos ? text.size() : end) - at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    out.push_back({line, at, next});
    at = next;
  }
  return out;
}

struct Fence {
  char mark = '`';
  size_t length = 0;
  int indent = 0;         // columns, tab stops of 4
  std::string_view info;  // what follows the marks, trimmed
  size_t offset = 0;      // of the marks in the line
};

std::string_view trimmed(std::string_view s) {
  size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
  return a == s.npos ? std::string_view() : s.substr(a, b - a + 1);
}

size_t run_of(std::string_view s, size_t at, char mark) {
  size_t n = 0;
  while (at + n < s.size() && s[at + n] == mark) n++;
  return n;
}

// Columns of the white space and list markers ("1. ", "- ") in front of a fence.
std::optional<Fence> fence_of(std::string_view line, bool may_open_list) {
  int column = 0;
  size_t i = 0;
  while (i < line.size() && (line[i] == ' ' || line[i] == '\t'))
    column = line[i++] == '\t' ? column / 4 * 4 + 4 : column + 1;
  if (may_open_list) {
    size_t k = i;
    while (k < line.size() && std::isdigit(static_cast<unsigned char>(line[k]))) k++;
    bool marker = (k > i && k < line.size() && (line[k] == '.' || line[k] == ')')) ||
                  (k < line.size() && k == i && (line[k] == '-' || line[k] == '*'));
    if (marker && k + 1 < line.size() && line[k + 1] == ' ' && k + 2 < line.size() &&
        (line[k + 2] == '`' || line[k + 2] == '~'))
      column += int(k + 2 - i), i = k + 2;
  }
  if (i >= line.size() || (line[i] != '`' && line[i] != '~')) return std::nullopt;
  size_t n = run_of(line, i, line[i]);
  if (n < 3) return std::nullopt;
  auto info = trimmed(line.substr(i + n));
  if (line[i] == '`' && info.find('`') != info.npos) return std::nullopt;  // inline code
  return Fence{line[i], n, column, info, i};
}

bool is_code_tag(std::string_view tag) {
  for (std::string_view t : {"python", "py", "python3", "triton", "tritonpython"})
    if (t == tag) return true;
  return false;
}

std::string tag_of(std::string_view info) {
  size_t begin = info.find_first_not_of("{. ");
  if (begin == info.npos) return {};
  info.remove_prefix(begin);
  std::string tag(info.substr(0, info.find_first_of(" \t,:{}=")));
  std::transform(tag.begin(), tag.end(), tag.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return tag;
}

// "Here is the code: ```python": no fence for CommonMark, plainly one for a reader.
std::optional<Fence> inline_opening(std::string_view line) {
  size_t at = line.rfind("```");
  if (at == line.npos || at == 0 || line[at - 1] == '`') return std::nullopt;
  auto info = trimmed(line.substr(at + 3));
  if (!is_code_tag(info) || line.find("```") != at) return std::nullopt;
  return Fence{'`', 3, 0, info, at};
}

std::string dedented(std::string_view line, int columns) {
  int column = 0;
  size_t i = 0;
  while (i < line.size() && column < columns && (line[i] == ' ' || line[i] == '\t'))
    column = line[i++] == '\t' ? column / 4 * 4 + 4 : column + 1;
  return std::string(size_t(std::max(0, column - columns)), ' ') + std::string(line.substr(i));
}

bool closes(const Fence& open, std::string_view line) {
  auto fence = fence_of(line, false);
  return fence && fence->mark == open.mark && fence->length >= open.length && fence->info.empty() &&
         fence->indent <= open.indent + 3;
}

class BlockReader {
 public:
  explicit BlockReader(std::string_view text) : text_(text), lines_(lines_of(text)) {}

  std::vector<Block> run() {
    std::vector<Block> out;
    for (size_t i = 0; i < lines_.size();) {
      auto fence = fence_of(lines_[i].text, true);
      if (!fence) fence = inline_opening(lines_[i].text);
      if (!fence) {
        i++;
        continue;
      }
      Block block;
      block.tag = tag_of(fence->info);
      block.begin = lines_[i].begin + fence->offset;
      size_t close = close_of(*fence, i + 1);
      block.closed = close < lines_.size();
      block.end = block.closed ? lines_[close].next : text_.size();
      block.content = content(*fence, i + 1, close, block);
      out.push_back(std::move(block));
      i = close + 1;
    }
    return out;
  }

 private:
  // The first closing fence that does not stand inside a triple-quoted string of the code; if the string never ends
  // before the last fence, the first one after all.
  size_t close_of(const Fence& open, size_t from) {
    size_t first = lines_.size();
    std::string code;
    int tried = 0;
    for (size_t i = from; i < lines_.size(); i++) {
      if (!closes(open, lines_[i].text)) {
        code += dedented(lines_[i].text, open.indent) + "\n";
        continue;
      }
      if (first == lines_.size()) first = i;
      if (++tried > kMostFencesInStrings) return first;
      if (!tokenize(code).in_triple_string) return i;
      code += std::string(lines_[i].text) + "\n";
    }
    return first;
  }

  std::string content(const Fence& open, size_t from, size_t close, Block& block) {
    std::string out;
    for (size_t i = from; i < close && i < lines_.size(); i++) {
      auto line = lines_[i].text;
      size_t glued = block.closed ? line.npos : line.rfind("```");
      // Never closed by a line of its own: `return y```` closes it at the end of a code line.
      if (open.mark == '`' && glued != line.npos && glued > 0 && trimmed(line.substr(glued + 3)).empty() &&
          !trimmed(line.substr(0, glued)).empty()) {
        block.closed = true;
        block.end = lines_[i].next;
        return out + dedented(line.substr(0, glued), open.indent) + "\n";
      }
      out += dedented(line, open.indent);
      if (i + 1 < lines_.size() || lines_[i].next != lines_[i].begin + line.size()) out += "\n";
    }
    return out;
  }

  static constexpr int kMostFencesInStrings = 16;  // bounds the work on hostile text

  std::string_view text_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Block> find_blocks(std::string_view text) { return BlockReader(text).run(); }

}  // namespace kbx::intake
