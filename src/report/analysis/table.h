// Table: what one analysis found, as plain data. Analyses make tables, formats write them (report/analysis/write.h).
// A figure that cannot be given has no number: its cell says why. Texts may be hostile until a format has escaped them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kbx::report {

// How a number is written. share: 0.25 is "25.0 %"; ratio: 1.5 is "1.50x"; chance: a p-value.
enum class Form : unsigned char { text, count, share, ratio, number, chance, seconds };

struct Cell {
  Form form = Form::text;
  std::string text;  // of form text; else why there is no value
  std::optional<double> value, low, high;  // low and high: the ends of a 95 % interval
};

Cell word(std::string text);
Cell count(int64_t n);
Cell figure(Form form, std::optional<double> value, std::string why = "–");
Cell between(Form form, double value, double low, double high);
Cell missing(std::string why);  // "too few: 3 kernels"
// k of n with Wilson's interval; missing when n is 0.
Cell share_of(int64_t k, int64_t n);
// The geometric mean with Student's t interval on the logarithms; missing with no values, "too few" below two.
Cell geometric(const std::vector<double>& values);
// The median with the interval between order statistics; without one below six values.
Cell median(Form form, const std::vector<double>& values);
// "52.3 % [48.1, 56.4]", "17", "1.31x", the text, or why it is missing.
std::string plain(const Cell& cell);

struct Column {
  std::string key;    // for programs: never renamed
  std::string title;  // for people
};

struct Table {
  std::string id, title;  // "stages_by_category"
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes;  // what must be known to read it; a sentence each
  std::string lacking;             // why there are no rows; "" = there are
};

// What is drawn of a table.
struct Point {
  double x = 0, y = 0;
  std::optional<double> low, high;  // of y
};
struct Series {
  std::string name;
  std::vector<Point> points;
};
struct Chart {
  enum class Kind : unsigned char { bars, lines } kind = Kind::bars;  // bars: x is the index into `labels`
  std::string id, title, x_title, y_title;
  std::vector<std::string> labels;
  std::vector<Series> series;
  bool log_x = false;
  bool share = false;  // y is a share: the axis goes from 0 to 1, in per cent
};

struct Section {
  Table table;
  std::optional<Chart> chart;
};

}  // namespace kbx::report
