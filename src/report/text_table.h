// TextTable: aligned columns for terminals and logs.
#pragma once
#include <string>
#include <vector>

namespace kbx::report {

class TextTable {
 public:
  enum class Align : unsigned char { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void rule() { rows_.emplace_back(); }  // a line across
  size_t size() const { return rows_.size(); }
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Characters a terminal shows for UTF-8 text (combining and wide ones are not treated apart).
size_t display_width(std::string_view text);

}  // namespace kbx::report
