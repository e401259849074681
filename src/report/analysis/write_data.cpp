// Sections as Markdown, CSV and JSON: see write.h.
#include <fmt/format.h>

#include "base/text.h"
#include "report/analysis/write.h"
#include "report/csv.h"
#include "report/markdown.h"

namespace kbx::report {
namespace {

std::string exact(const std::optional<double>& v) { return v ? fmt::format("{:.10g}", *v) : ""; }

Json json_number(const std::optional<double>& v) { return v ? Json(*v) : Json(); }

Json cell_json(const Cell& c) {
  if (c.form == Form::text) return c.text;
  if (c.form == Form::count && c.value) return int64_t(*c.value);
  Json j = {{"value", json_number(c.value)}};
  if (c.low || c.high) {
    j["low"] = json_number(c.low);
    j["high"] = json_number(c.high);
  }
  if (!c.text.empty()) j["why"] = c.text;
  return j;
}

Json chart_json(const Chart& c) {
  Json series = Json::array();
  for (const Series& s : c.series) {
    Json points = Json::array();
    for (const Point& p : s.points) points.push_back({{"x", p.x}, {"y", p.y}, {"low", json_number(p.low)}, {"high", json_number(p.high)}});
    series.push_back({{"name", s.name}, {"points", points}});
  }
  return {{"id", c.id}, {"title", c.title}, {"x", c.x_title}, {"y", c.y_title}, {"labels", c.labels}, {"series", series}};
}

}  // namespace

void write_sections_markdown(const Sections& sections, const Sink& out) {
  for (const Section& section : sections) {
    const Table& t = section.table;
    std::string text = "### " + markdown_text(t.title) + "\n\n";
    if (!t.lacking.empty()) {
      text += "Not enough data: " + markdown_text(t.lacking, 1000) + ".\n";
    } else {
      std::string rule = "|";
      text += "|";
      for (size_t k = 0; k < t.columns.size(); k++) {
        text += " " + markdown_text(t.columns[k].title) + " |";
        rule += !t.rows.empty() && k < t.rows[0].size() && t.rows[0][k].form != Form::text ? "--:|" : "---|";
      }
      text += "\n" + rule + "\n";
      for (const auto& row : t.rows) {
        text += "|";
        for (const Cell& c : row) text += " " + (c.form == Form::text ? markdown_text(c.text) : markdown_text(plain(c))) + " |";
        text += "\n";
      }
    }
    text += "\n";
    for (const std::string& note : t.lacking.empty() ? t.notes : std::vector<std::string>()) text += "- " + markdown_text(note, 1000) + "\n";
    out(text + "\n");
  }
}

void write_sections_csv(const Sections& sections, const Sink& out) {
  out("table,row,label,column,text,value,low,high\r\n");
  for (const Section& section : sections) {
    const Table& t = section.table;
    for (size_t r = 0; r < t.rows.size(); r++) {
      const auto& row = t.rows[r];
      std::string text, label = row.empty() ? "" : csv_text(plain(row[0]));
      for (size_t k = 0; k < row.size() && k < t.columns.size(); k++)
        text += fmt::format("{},{},{},{},{},{},{},{}\r\n", t.id, r + 1, label, t.columns[k].key, csv_text(plain(row[k])), exact(row[k].value), exact(row[k].low), exact(row[k].high));
      out(text);
    }
    if (!t.lacking.empty()) out(fmt::format("{},0,,lacking,{},,,\r\n", t.id, csv_text(t.lacking)));
  }
}

void write_sections_json(const Sections& sections, const Sink& out) {
  Json tables = Json::array(), charts = Json::array();
  for (const Section& section : sections) {
    const Table& t = section.table;
    Json columns = Json::array(), rows = Json::array();
    for (const Column& c : t.columns) columns.push_back({{"key", c.key}, {"title", c.title}});
    for (const auto& row : t.rows) {
      Json j = Json::object();
      for (size_t k = 0; k < row.size() && k < t.columns.size(); k++) j[t.columns[k].key] = cell_json(row[k]);
      rows.push_back(std::move(j));
    }
    tables.push_back({{"id", t.id}, {"title", t.title}, {"columns", columns}, {"rows", rows}, {"notes", t.notes}, {"lacking", t.lacking.empty() ? Json() : Json(t.lacking)}});
    if (section.chart) charts.push_back(chart_json(*section.chart));
  }
  out(dump_json({{"version", 1}, {"tables", tables}, {"charts", charts}}, 1) + "\n");
}

}  // namespace kbx::report
