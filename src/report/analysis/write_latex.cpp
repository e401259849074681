// Sections as LaTeX: see write.h.
#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis/write.h"

namespace kbx::report {
namespace {

// UTF-8 that kbx itself writes and what LaTeX calls it. Any other character beyond ASCII becomes '?': candidates choose
// them, and one that the fonts lack would end the document.
struct Known {
  std::string_view utf8, latex;
};
constexpr Known kKnown[] = {{"–", "--"}, {"—", "---"}, {"·", "\\textperiodcentered{}"}, {"±", "\\ensuremath{\\pm}"}, {"×", "\\ensuremath{\\times}"}, {"≤", "\\ensuremath{\\le}"}, {"≥", "\\ensuremath{\\ge}"},
                            {"…", "\\ldots{}"}, {"µ", "\\ensuremath{\\mu}"}, {"ρ", "\\ensuremath{\\rho}"}};

std::string_view escape_of(char c) {
  switch (c) {
    case '\\': return "\\textbackslash{}";
    case '{': return "\\{";
    case '}': return "\\}";
    case '$': return "\\$";
    case '&': return "\\&";
    case '#': return "\\#";
    case '_': return "\\_";
    case '%': return "\\%";
    case '~': return "\\textasciitilde{}";
    case '^': return "\\textasciicircum{}";
    case '<': return "\\textless{}";
    case '>': return "\\textgreater{}";
    case '|': return "\\textbar{}";
    case '"': return "\\textquotedbl{}";
    case '`': return "\\textasciigrave{}";
    case '\'': return "\\textquotesingle{}";
    case '[': return "{[}";  // behind \\ a bracket would be its optional argument
    case ']': return "{]}";
    case '-': return "-{}";  // no ligatures to dashes
    case '?': return "?{}";  // nor to other marks
    case '!': return "!{}";
    default: return {};
  }
}

std::string label_of(const std::string& id) {
  std::string out = "tab:kbx-";
  for (char c : id) out += c == '_' ? '-' : c;
  return out;
}

std::string table_latex(const Table& t) {
  std::string out = fmt::format("% {}\n", t.id), columns;
  if (!t.lacking.empty()) return out + fmt::format("\\paragraph{{{}}} Not enough data: {}.\n\n", latex_text(t.title), latex_text(t.lacking));
  for (size_t k = 0; k < t.columns.size(); k++) columns += !t.rows.empty() && k < t.rows[0].size() && t.rows[0][k].form != Form::text ? 'r' : 'l';
  out += fmt::format("{{\\footnotesize\\setlength{{\\tabcolsep}}{{4pt}}\n\\begin{{longtable}}{{@{{}}{}@{{}}}}\n\\caption{{{}}}\\label{{{}}}\\\\\n\\toprule\n", columns, latex_text(t.title), label_of(t.id));
  for (size_t k = 0; k < t.columns.size(); k++) out += (k ? " & " : "") + latex_text(t.columns[k].title);
  out += " \\\\\n\\midrule\n\\endhead\n";
  for (const auto& row : t.rows) {
    for (size_t k = 0; k < t.columns.size(); k++) out += (k ? " & " : "") + (k < row.size() ? latex_text(shown(plain(row[k]), 160)) : "");
    out += " \\\\\n";
  }
  out += "\\bottomrule\n\\end{longtable}}\n";
  for (const std::string& note : t.notes) out += fmt::format("{{\\footnotesize\\noindent {}\\par}}\n", latex_text(note));
  return out + "\n";
}

}  // namespace

std::string latex_text(std::string_view text) {
  std::string clean = clean_utf8(text), out;
  for (size_t k = 0; k < clean.size();) {
    auto c = static_cast<unsigned char>(clean[k]);
    if (c < 0x80) {
      if (std::string_view e = escape_of(clean[k]); !e.empty()) out += e;
      else out += c < 0x20 || c == 0x7f ? ' ' : clean[k];
      k++;
      continue;
    }
    size_t length = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2;
    std::string_view character = std::string_view(clean).substr(k, length);
    std::string_view put = "?{}";
    for (const Known& known : kKnown)
      if (known.utf8 == character) put = known.latex;
    out += put;
    k += length;
  }
  return out;
}

void write_sections_latex(const Sections& sections, const Sink& out) {
  out("% Tables and figures by kbx analyze. \\usepackage{booktabs,longtable,textcomp,tikz} and \\usepackage[T1]{fontenc}, then \\input this file.\n\n");
  for (const Section& section : sections) {
    out(table_latex(section.table));
    if (section.chart)
      out(fmt::format("\\begin{{figure}}[htbp]\n\\centering\n{}\\caption{{{}}}\n\\end{{figure}}\n\n", chart_tikz(*section.chart), latex_text(section.chart->title)));
  }
}

}  // namespace kbx::report
