// Drawings as SVG and as TikZ: see write.h.
#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis/drawing.h"
#include "report/analysis/write.h"

namespace kbx::report {
namespace {

std::string xml(std::string_view text) {
  std::string out;
  for (char c : shown(text)) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c == '\'') out += "&#39;";
    else out += c;
  }
  return out;
}

std::string colour(int n) {
  if (n == -1) return "222222";
  if (n == -2) return "dddddd";
  return kColours[size_t(n) % std::size(kColours)];
}

std::string svg_shape(const Shape& s) {
  switch (s.kind) {
    case Shape::Kind::line: return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#{}\" stroke-width=\"{:g}\"/>\n", s.x, s.y, s.x2, s.y2, colour(s.colour), s.width);
    case Shape::Kind::box: return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#{}\"/>\n", s.x, s.y, s.x2 - s.x, s.y2 - s.y, colour(s.colour));
    case Shape::Kind::word: break;
  }
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  std::string turn = s.turned ? fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", s.x, s.y) : "";
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\"{}>{}</text>\n", s.x, s.y, s.size, kAnchors[size_t(s.align)], turn, xml(s.text));
}

std::string tikz_shape(const Shape& s) {
  switch (s.kind) {
    case Shape::Kind::line: return fmt::format("\\draw[kbx{}, line width={:g}pt] ({:.1f},{:.1f}) -- ({:.1f},{:.1f});\n", s.colour + 2, s.width * 0.75, s.x, -s.y, s.x2, -s.y2);
    case Shape::Kind::box: return fmt::format("\\fill[kbx{}] ({:.1f},{:.1f}) rectangle ({:.1f},{:.1f});\n", s.colour + 2, s.x, -s.y, s.x2, -s.y2);
    case Shape::Kind::word: break;
  }
  constexpr const char* kAnchors[] = {"base west", "base", "base east"};
  return fmt::format("\\node[anchor={}, inner sep=0pt, font=\\fontsize{{{:g}}}{{{:g}}}\\selectfont{}] at ({:.1f},{:.1f}) {{{}}};\n", kAnchors[size_t(s.align)], s.size * 0.85, s.size, s.turned ? ", rotate=90" : "", s.x,
                     -s.y, latex_text(s.text));
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  Drawing d = draw(chart);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, sans-serif\" role=\"img\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      d.width, d.height, xml(chart.title));
  for (const Shape& s : d.shapes) out += svg_shape(s);
  return out + "</svg>\n";
}

std::string chart_tikz(const Chart& chart) {
  Drawing d = draw(chart);
  std::string out = "\\begin{tikzpicture}[x=0.75pt, y=0.75pt]\n";
  for (int n = -2; n < int(std::size(kColours)); n++) out += fmt::format("\\definecolor{{kbx{}}}{{HTML}}{{{:.6}}}\n", n + 2, colour(n));
  for (Shape s : d.shapes) {
    if (s.colour >= 0) s.colour %= int(std::size(kColours));
    out += tikz_shape(s);
  }
  return out + "\\end{tikzpicture}\n";
}

}  // namespace kbx::report
