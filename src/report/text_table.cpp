#include "report/text_table.h"

#include <algorithm>

namespace kbx::report {

size_t display_width(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string TextTable::text() const {
  std::vector<size_t> width;
  for (const Column& c : columns_) width.push_back(display_width(c.title));
  for (const auto& row : rows_)
    for (size_t k = 0; k < row.size() && k < width.size(); k++) width[k] = std::max(width[k], display_width(row[k]));
  std::string out;
  auto line = [&](auto cell) {
    std::string s;
    for (size_t k = 0; k < columns_.size(); k++) {
      std::string text = cell(k);
      std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
      std::string pad(width[k] - std::min(width[k], display_width(text)), ' ');
      s += (k ? "  " : "") + (columns_[k].align == Align::right ? pad + text : text + pad);
    }
    s.erase(s.find_last_not_of(' ') + 1);
    out += s + "\n";
  };
  size_t total = 0;
  for (size_t w : width) total += w + 2;
  std::string bar;
  for (size_t k = 0; k + 2 < total; k++) bar += "─";
  line([&](size_t k) { return columns_[k].title; });
  out += bar + "\n";
  for (const auto& row : rows_) {
    if (row.empty()) out += bar + "\n";
    else line([&](size_t k) { return k < row.size() ? row[k] : std::string(); });
  }
  return out;
}

}  // namespace kbx::report
