// Laying out charts: see the header.
#include "report/analysis/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/text_table.h"

namespace kbx::report {
namespace {

constexpr double kCharacter = 5.6;  // about the width of one at size 10
constexpr size_t kLabelMost = 40;

// A round step that gives about `about` ticks over `span`.
double step_of(double span, int about) {
  double raw = span / about, ten = std::pow(10, std::floor(std::log10(raw)));
  for (double m : {1.0, 2.0, 5.0})
    if (raw <= m * ten) return m * ten;
  return 10 * ten;
}

class Picture {
 public:
  explicit Picture(const Chart& chart) : chart_(chart) {
    for (const Series& s : chart.series)
      for (const Point& p : s.points) top_ = std::max({top_, p.y, p.high.value_or(p.y)});
    if (chart.share) top_ = 1;
    else if (top_ <= 0) top_ = 1;
  }

  Drawing bars() {
    size_t longest = 8;
    for (const std::string& l : chart_.labels) longest = std::max(longest, std::min(kLabelMost, display_width(l)));
    double n = double(std::max<size_t>(1, chart_.series.size()));
    row_ = 9 * n + 7;
    left_ = 14 + kCharacter * double(longest);
    right_ = left_ + 380;
    head();
    bottom_ = begin_ + row_ * double(chart_.labels.size()) + 4;
    for (double v : ticks(top_, 5)) {
      double x = across(v);
      line(x, begin_, x, bottom_, -2);
      text(x, bottom_ + 13, number(v), Shape::Align::middle, 9);
    }
    for (size_t k = 0; k < chart_.labels.size(); k++)
      text(left_ - 6, begin_ + row_ * (double(k) + 0.5) + 3, shown(chart_.labels[k], kLabelMost), Shape::Align::right);
    for (size_t s = 0; s < chart_.series.size(); s++)
      for (const Point& p : chart_.series[s].points) {
        double y = begin_ + row_ * p.x + 5 + 9 * double(s);
        box(left_, y, across(p.y), y + 6, int(s));
        if (p.low && p.high) line(across(*p.low), y + 3, across(std::min(*p.high, top_)), y + 3, -1);
      }
    line(left_, begin_, left_, bottom_, -1);
    text((left_ + right_) / 2, bottom_ + 28, chart_.y_title, Shape::Align::middle);
    return finish(bottom_ + 36);
  }

  Drawing lines() {
    left_ = 52;
    right_ = 440;
    head();
    bottom_ = begin_ + 220;
    double low = INFINITY, high = -INFINITY;
    for (const Series& s : chart_.series)
      for (const Point& p : s.points) {
        low = std::min(low, p.x);
        high = std::max(high, p.x);
      }
    if (!(low < high)) high = low + 1;
    auto at = [&](double x) { return left_ + (chart_.log_x ? std::log(x / low) / std::log(high / low) : (x - low) / (high - low)) * (right_ - left_); };
    auto up = [&](double y) { return bottom_ - y / top_ * (bottom_ - begin_); };
    for (double v : ticks(top_, 5)) {
      line(left_, up(v), right_, up(v), -2);
      text(left_ - 5, up(v) + 3, number(v), Shape::Align::right, 9);
    }
    for (double v : x_ticks(low, high)) {
      line(at(v), bottom_, at(v), bottom_ + 4, -1);
      text(at(v), bottom_ + 15, fmt::format("{:g}", v), Shape::Align::middle, 9);
    }
    line(left_, bottom_, right_, bottom_, -1);
    line(left_, begin_, left_, bottom_, -1);
    for (size_t s = 0; s < chart_.series.size(); s++) {
      const auto& points = chart_.series[s].points;
      for (size_t k = 0; k < points.size(); k++) {
        const Point& p = points[k];
        if (k) line(at(points[k - 1].x), up(points[k - 1].y), at(p.x), up(p.y), int(s), 1.8);
        if (p.low && p.high) line(at(p.x), up(*p.low), at(p.x), up(std::min(*p.high, top_)), int(s), 0.8);
        box(at(p.x) - 1.6, up(p.y) - 1.6, at(p.x) + 1.6, up(p.y) + 1.6, int(s));
      }
    }
    text((left_ + right_) / 2, bottom_ + 30, chart_.x_title, Shape::Align::middle);
    shape({Shape::Kind::word, 12, (begin_ + bottom_) / 2, 0, 0, -1, 1, chart_.y_title, Shape::Align::middle, 10, true});
    return finish(bottom_ + 38);
  }

 private:
  double across(double v) const { return left_ + v / top_ * (right_ - left_); }
  std::string number(double v) const { return chart_.share ? fmt::format("{:.0f} %", 100 * v) : fmt::format("{:g}", v); }

  static std::vector<double> ticks(double top, int about) {
    std::vector<double> out;
    double step = step_of(top, about);
    for (int k = 0; k * step <= top * 1.0001; k++) out.push_back(k * step);
    return out;
  }
  std::vector<double> x_ticks(double low, double high) const {
    std::vector<double> out;
    if (chart_.log_x) {
      for (double ten = std::pow(10, std::floor(std::log10(low))); ten <= high; ten *= 10)
        for (double m : {1.0, 2.0, 5.0})
          if (m * ten >= low * 0.999 && m * ten <= high * 1.001) out.push_back(m * ten);
      return out;
    }
    double step = step_of(high - low, 6);
    for (double v = std::ceil(low / step) * step; v <= high * 1.0001; v += step) out.push_back(v);
    return out;
  }

  void shape(Shape s) { drawing_.shapes.push_back(std::move(s)); }
  void line(double x, double y, double x2, double y2, int colour, double width = 1) { shape({Shape::Kind::line, x, y, x2, y2, colour, width, "", Shape::Align::left, 10, false}); }
  void box(double x, double y, double x2, double y2, int colour) { shape({Shape::Kind::box, x, y, x2, y2, colour, 1, "", Shape::Align::left, 10, false}); }
  void text(double x, double y, const std::string& words, Shape::Align align, double size = 10) { shape({Shape::Kind::word, x, y, 0, 0, -1, 1, words, align, size, false}); }

  // Title and legend; sets where the plot begins.
  void head() {
    text(left_, 16, chart_.title, Shape::Align::left, 12);
    double x = left_, y = 32;
    for (size_t s = 0; s < chart_.series.size() && chart_.series.size() > 1; s++) {
      std::string name = shown(chart_.series[s].name, kLabelMost);
      double wide = 16 + kCharacter * double(display_width(name));
      if (x + wide > right_ && x > left_) {
        x = left_;
        y += 14;
      }
      box(x, y - 7, x + 8, y + 1, int(s));
      text(x + 12, y, name, Shape::Align::left);
      x += wide + 10;
    }
    begin_ = chart_.series.size() > 1 ? y + 10 : 26;
  }
  Drawing finish(double height) {
    drawing_.width = right_ + 20;
    drawing_.height = height;
    return std::move(drawing_);
  }

  const Chart& chart_;
  Drawing drawing_;
  double top_ = 0, left_ = 0, right_ = 0, begin_ = 0, bottom_ = 0, row_ = 0;
};

}  // namespace

Drawing draw(const Chart& chart) { return chart.kind == Chart::Kind::bars ? Picture(chart).bars() : Picture(chart).lines(); }

}  // namespace kbx::report
