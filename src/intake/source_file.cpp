// Reading marks in the first lines of a file.
#include "intake/source_file.h"

#include "base/text.h"

namespace kbx::intake {
namespace {

std::string unquoted(std::string value) {
  value = trim(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return value;
}

// The value of "KEY: value" in a line; empty when the line has another key.
std::string value_of(std::string_view line, std::string_view key) {
  if (!starts_with(line, key)) return {};
  return unquoted(std::string(line.substr(key.size())));
}

std::string next_line(std::string_view text, size_t& at) {
  size_t end = text.find('\n', at);
  std::string line = trim(text.substr(at, end == text.npos ? end : end - at));
  at = end == text.npos ? text.size() : end + 1;
  return line;
}

SourceMark front_matter(std::string_view text, size_t at) {
  SourceMark mark;
  for (int n = 0; n < 64 && at < text.size(); n++) {
    std::string line = next_line(text, at);
    if (line == "---") {
      if (mark.task.empty() && mark.entry.empty()) return {};  // a ruler, not a block of ours
      mark.text_begin = at;
      return mark;
    }
    for (std::string_view key : {"task:", "kbx-task:"})
      if (auto value = value_of(line, key); !value.empty()) mark.task = value;
    for (std::string_view key : {"entry:", "kbx-entry:"})
      if (auto value = value_of(line, key); !value.empty()) mark.entry = value;
  }
  return {};
}

}  // namespace

SourceMark read_mark(std::string_view text) {
  size_t at = starts_with(text, "\xEF\xBB\xBF") ? 3 : 0;
  SourceMark mark;
  for (int n = 0; n < 10 && at < text.size(); n++) {
    std::string line = next_line(text, at);
    if (n == 0 && line == "---") return front_matter(text, at);
    if (line.empty()) continue;
    if (starts_with(line, "<!--") && ends_with(line, "-->"))
      line = "# " + trim(std::string_view(line).substr(4, line.size() - 7));
    if (line[0] != '#') break;
    std::string said = trim(std::string_view(line).substr(1));
    if (auto value = value_of(said, "kbx-task:"); !value.empty()) mark.task = value;
    if (auto value = value_of(said, "kbx-entry:"); !value.empty()) mark.entry = value;
  }
  return mark;
}

}  // namespace kbx::intake
