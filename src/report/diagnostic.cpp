// How a diagnostic looks: place, severity, the source line with a caret, notes and help.
#include "report/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/words.h"

namespace kbx::report {
namespace {

constexpr size_t kTitleMost = 400, kNoteMost = 400, kSourceMost = 160;

struct Word {
  const char *text, *colour;
};
Word word_of(Severity s) {
  if (s == Severity::reject) return {"error", "\033[1;31m"};
  if (s == Severity::warn) return {"warning", "\033[1;35m"};
  return {"note", "\033[1;36m"};
}

std::string paint(bool on, const char* colour, const std::string& text) { return on ? colour + text + "\033[0m" : text; }

// Tabs become one blank so that the caret stands below its character.
std::string flat(const std::string& line) {
  std::string out = shown(line, kSourceMost);
  std::replace_if(out.begin(), out.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
  return out;
}

// The caret's distance from the line's start; the first non-blank when the column is unknown or outside the line.
size_t caret_at(const std::string& line, int column) {
  if (column > 0 && size_t(column) <= line.size()) return size_t(column) - 1;
  size_t first = line.find_first_not_of(' ');
  return first == line.npos ? 0 : first;
}

}  // namespace

std::string diagnostic_text(const Diagnostic& d, const std::vector<std::string>& lines, const DiagnosticStyle& style) {
  Word word = word_of(d.severity);
  std::string place = shown_line(style.file, 200);
  bool has_line = d.line > 0 && size_t(d.line) <= lines.size();
  std::string source = has_line ? flat(lines[size_t(d.line) - 1]) : "";
  size_t caret = has_line ? caret_at(source, d.column) : 0;
  if (d.line > 0) place += fmt::format(":{}", d.line);
  if (has_line) place += fmt::format(":{}", caret + 1);
  std::string out = paint(style.colour, "\033[1m", place + ":") + " " +
                    paint(style.colour, word.colour, std::string(word.text) + ":") + " " +
                    paint(style.colour, "\033[1m", shown_line(d.title, kTitleMost)) + fmt::format(" [{}]\n", shown(d.rule, 60));
  if (has_line) {
    out += fmt::format("{:>6} | {}\n", d.line, source);
    out += fmt::format("       | {}{}\n", std::string(caret, ' '), paint(style.colour, "\033[1;32m", "^"));
  }
  for (const auto& [name, text] : d.notes) {
    std::string note = shown(text, kNoteMost);
    for (size_t at = 0; (at = note.find('\n', at)) != note.npos; at++) note.insert(at + 1, "         ");  // no line of it stands where ours begin
    out += fmt::format("       = {}: {}\n", name, note);
  }
  if (d.more) out += fmt::format("       = also: {} more of the same\n", d.more);
  if (!d.help.empty()) out += fmt::format("       = {} {}\n", paint(style.colour, "\033[1;36m", "help:"), d.help);
  return out;
}

std::string diagnostic_count(const std::vector<Diagnostic>& list) {
  auto count = [&](Severity s) {
    return std::count_if(list.begin(), list.end(), [&](const Diagnostic& d) { return d.severity == s; });
  };
  std::string out;
  if (int64_t n = count(Severity::reject)) out = counted(n, "error");
  if (int64_t n = count(Severity::warn)) out += (out.empty() ? "" : ", ") + counted(n, "warning");
  return out;
}

}  // namespace kbx::report
