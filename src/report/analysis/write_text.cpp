// Sections for a terminal: see write.h.
#include "base/text.h"
#include "report/analysis/write.h"
#include "report/text_table.h"

namespace kbx::report {
namespace {

constexpr size_t kLine = 120;

// Words on lines of at most kLine characters.
std::string wrapped(const std::string& text, const std::string& first, const std::string& rest) {
  std::string out, line = first;
  bool empty = true;
  for (const std::string& w : split(text, ' ')) {
    if (!empty && display_width(line) + display_width(w) + 1 > kLine) {
      out += line + "\n";
      line = rest;
      empty = true;
    }
    line += (empty ? "" : " ") + w;
    empty = false;
  }
  return out + line + "\n";
}

}  // namespace

void write_sections_text(const Sections& sections, const Sink& out) {
  bool first = true;
  for (const Section& section : sections) {
    const Table& t = section.table;
    std::string text = (first ? "" : "\n") + t.title + "\n";
    first = false;
    if (!t.lacking.empty()) {
      text += wrapped("not enough data: " + t.lacking, "  ", "  ");
    } else {
      std::vector<TextTable::Column> columns;
      for (size_t k = 0; k < t.columns.size(); k++) {
        bool numbers = !t.rows.empty() && k < t.rows[0].size() && t.rows[0][k].form != Form::text;
        columns.push_back({t.columns[k].title, numbers ? TextTable::Align::right : TextTable::Align::left});
      }
      TextTable table(columns);
      for (const auto& row : t.rows) {
        std::vector<std::string> cells;
        for (const Cell& c : row) {
          std::string cell = shown(plain(c), 160);
          for (char& ch : cell)
            if (ch == '\n' || ch == '\t') ch = ' ';
          cells.push_back(std::move(cell));
        }
        table.add(std::move(cells));
      }
      text += table.text();
    }
    for (const std::string& note : t.lacking.empty() ? t.notes : std::vector<std::string>()) text += wrapped(shown(note), "- ", "  ");
    out(text);
  }
}

}  // namespace kbx::report
