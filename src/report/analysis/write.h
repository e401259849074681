// Sections in the forms in which people and programs read them. Each writes all of them, piece by piece.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "report/analysis/table.h"
#include "report/sink.h"

namespace kbx::report {

using Sections = std::vector<Section>;

// For a terminal: aligned columns, notes below.
void write_sections_text(const Sections& sections, const Sink& out);
void write_sections_markdown(const Sections& sections, const Sink& out);
// One rectangular table for programs, a line a cell: table,row,label,column,text,value,low,high. RFC 4180.
void write_sections_csv(const Sections& sections, const Sink& out);
// {"version": 1, "tables": [{"id", "title", "columns", "rows": [{column: cell}], "notes", "lacking"}], "charts": [...]}.
void write_sections_json(const Sections& sections, const Sink& out);
// A file for \input: needs booktabs and longtable, and tikz for the charts. Every text is escaped.
void write_sections_latex(const Sections& sections, const Sink& out);

// Text as LaTeX prints it: nothing of it is a command. What LaTeX in its usual encodings cannot print is replaced by '?'.
std::string latex_text(std::string_view text);

// One chart as a standalone SVG image, as TikZ.
std::string chart_svg(const Chart& chart);
std::string chart_tikz(const Chart& chart);

}  // namespace kbx::report
