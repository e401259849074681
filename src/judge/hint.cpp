// One pass over the wrong elements each.
#include "judge/hint.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace kbx::judge {
namespace {

struct Range {
  int64_t low = -1, high = -1;  // inclusive
  void add(int64_t at) {
    low = low < 0 ? at : std::min(low, at);
    high = std::max(high, at);
  }
  int64_t width() const { return high - low + 1; }
};

struct Places {
  int64_t count = 0;
  Range flat, row, column;
};

Places places_of(const std::vector<uint8_t>& wrong, int64_t rows, int64_t columns) {
  Places p;
  for (int64_t k = 0; k < int64_t(wrong.size()); k++) {
    if (!wrong[size_t(k)]) continue;
    p.count++;
    p.flat.add(k);
    p.row.add(k / columns % rows);
    p.column.add(k % columns);
  }
  return p;
}

// "all in the last column" and its kind, if the range is a thin edge of the extent.
std::string edge(const Range& r, int64_t extent, const char* one, const char* many) {
  if (extent < 2 || r.width() * 4 > extent * (r.width() == 1 ? 4 : 1)) return "";
  if (r.width() == 1 && r.low == extent - 1) return fmt::format("all in the last {}", one);
  if (r.width() == 1 && r.low == 0) return fmt::format("all in the first {}", one);
  if (r.width() == 1) return fmt::format("all in {} {}", one, r.low);
  if (r.high == extent - 1) return fmt::format("all in the last {} {}", r.width(), many);
  if (r.low == 0) return fmt::format("all in the first {} {}", r.width(), many);
  return "";
}

// Does a constant explain all values? Follows the spread of one quantity.
struct Spread {
  double low = INFINITY, high = -INFINITY;
  bool broken = false;
  void add(double v) {
    if (!std::isfinite(v)) broken = true;
    low = std::min(low, v), high = std::max(high, v);
  }
  bool constant() const {
    return !broken && low <= high && high - low <= 2e-3 * std::max(std::abs(low), std::abs(high));
  }
  double middle() const { return (low + high) / 2; }
};

bool is_transpose(const View& got, const View& want) {
  const auto& shape = want.shape();
  if (shape.size() < 2 || is_complex(got.dtype())) return false;
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (rows < 2 || columns < 2) return false;
  for (int64_t k = 0; k < want.count(); k++) {
    int64_t base = k / (rows * columns) * rows * columns, r = k / columns % rows, c = k % columns;
    // The result was laid out as [columns, rows]: element (r, c) stands where (c, r) of that layout is.
    double g = got.at(base + c * rows + r), w = want.at(k);
    if (!(std::abs(g - w) <= 1e-3 * std::abs(w) + 1e-6)) return false;
  }
  return true;
}

}  // namespace

std::string place_hint(const std::vector<int64_t>& shape, const std::vector<uint8_t>& wrong) {
  int64_t n = int64_t(wrong.size());
  int64_t columns = shape.empty() ? 1 : std::max<int64_t>(1, shape.back());
  int64_t rows = shape.size() < 2 ? 1 : std::max<int64_t>(1, shape[shape.size() - 2]);
  Places p = places_of(wrong, rows, columns);
  if (p.count == 0 || n < 2) return "";
  if (p.count == n) return "every element";
  if (n < 4) return "";
  if (p.count < 2 && rows == 1) return p.flat.low == n - 1 ? "the last one" : "";
  if (std::string s =
          edge(p.column, columns, shape.size() < 2 ? "element" : "column", shape.size() < 2 ? "elements" : "columns");
      !s.empty())
    return s;
  if (rows > 1)
    if (std::string s = edge(p.row, rows, "row", "rows"); !s.empty()) return s;
  // Half of the elements right by chance would make these false: they are asked for dense regions only.
  if (p.flat.low >= n / 2 && p.flat.low <= n / 2 + n / 64 && p.count * 2 > n - p.flat.low)
    return "all in the second half";
  if (p.row.width() * p.column.width() * 2 <= rows * columns && rows > 1)
    return fmt::format("all in the tile [{}:{}, {}:{}]", p.row.low, p.row.high + 1, p.column.low, p.column.high + 1);
  if (p.flat.low > n / 8 && p.flat.high == n - 1 && p.count * 2 > n - p.flat.low)
    return fmt::format("all from flat index {} on", p.flat.low);
  return "";
}

std::string value_hint(const View& got, const View& want, const std::vector<uint8_t>& wrong) {
  if (is_complex(got.dtype()) || is_complex(want.dtype())) return "";
  Spread value, ratio, difference;
  int64_t count = 0;
  for (int64_t k = 0; k < got.count(); k++) {
    if (!wrong[size_t(k)]) continue;
    double g = got.at(k), w = want.at(k);
    count++;
    value.add(g);
    difference.add(g - w);
    ratio.add(g / w);
  }
  if (count < 2) return "";
  if (!value.broken && value.low == 0 && value.high == 0) return "got is zero there";
  if (ratio.constant() && std::abs(ratio.middle() + 1) < 2e-3) return "the sign is flipped";
  if (ratio.constant() && std::abs(ratio.middle() - 1) < 5e-5) return got.dtype() == Dtype::f64 ? "right to float32's digits only" : "";
  if (ratio.constant() && count > 2) return fmt::format("got is {:.4g} x expected", ratio.middle());
  if (difference.constant() && count > 2) return fmt::format("got - expected is {:.4g}", difference.middle());
  if (!value.broken && value.low == value.high && count > 2) return fmt::format("got is {:.4g} there", value.low);
  if (is_transpose(got, want)) return "got is the transpose";
  return "";
}

}  // namespace kbx::judge
