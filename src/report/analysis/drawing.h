// Drawing: a chart as lines, boxes and words in one coordinate system (points, y downwards), so that SVG and TikZ show the
// same picture.
#pragma once
#include <string>
#include <vector>

#include "report/analysis/table.h"

namespace kbx::report {

struct Shape {
  enum class Kind : unsigned char { line, box, word } kind = Kind::line;
  double x = 0, y = 0, x2 = 0, y2 = 0;  // a line's ends, a box's corners; a word's anchor is x, y (its baseline)
  int colour = -1;                      // number of a series; -1 = ink, -2 = grid
  double width = 1;                     // of a line
  std::string text;
  enum class Align : unsigned char { left, middle, right } align = Align::left;
  double size = 10;                     // of a word
  bool turned = false;                  // a word that runs upwards
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<Shape> shapes;
};

inline constexpr const char* kColours[] = {"1f5fa8", "c4541c", "3a8a3a", "7a4aa0", "b08a00", "3d8f96", "a8336b", "6b6b6b"};  // RRGGBB

Drawing draw(const Chart& chart);

}  // namespace kbx::report
