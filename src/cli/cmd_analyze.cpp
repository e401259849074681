// kbx analyze: what runs say together, as tables and figures.
#include <fmt/format.h>

#include <filesystem>

#include "base/files.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/sections.h"
#include "cli/terminal.h"
#include "report/analysis/against_file.h"
#include "report/analysis/against_paper.h"
#include "report/analysis/analyses.h"

namespace kbx::cli {
namespace fs = std::filesystem;
namespace {

struct Options {
  std::vector<std::string> runs, methods, tables;
  std::string format = "text", output, against, methods_file;
};

Result<report::MethodRules> rules_of(const Options& o) {
  report::MethodRules rules;
  std::vector<std::string> texts = o.methods;
  if (!o.methods_file.empty()) {
    KBX_TRY_ASSIGN(std::string file, read_file(o.methods_file));
    for (const std::string& line : split_lines(file))
      if (std::string rule = trim(line); !rule.empty() && rule[0] != '#') texts.push_back(rule);
  }
  for (const std::string& text : texts) {
    KBX_TRY_ASSIGN(auto rule, report::parse_method_rule(text));
    rules.push_back(std::move(rule));
  }
  return rules;
}

Result<report::Sections> sections_of(const Options& o, const report::Runs& runs, const report::Study& study) {
  std::vector<std::string> known = {"against_paper", "published_verdicts", "published_speed"};
  for (const auto& entry : report::analyses()) known.push_back(entry.id);
  for (const std::string& id : o.tables)
    if (std::find(known.begin(), known.end(), id) == known.end())
      return fail(Code::usage, "there is no table " + id + did_you_mean(id, known) + " (kbx analyze --help lists them)");
  auto wanted = [&](const std::string& id) { return o.tables.empty() || std::find(o.tables.begin(), o.tables.end(), id) != o.tables.end(); };
  report::Sections all, out;
  bool paper = o.against == "paper";
  for (const auto& entry : report::analyses())
    if (paper || wanted(entry.id)) all.push_back(entry.make(study));
  if (paper) out.push_back(report::against_paper_table(study, all));
  if (!o.against.empty() && !paper) {
    KBX_TRY_ASSIGN(report::Sections published, report::against_file(runs, o.against));
    for (report::Section& s : published)
      if (wanted(s.table.id)) out.push_back(std::move(s));
  }
  for (report::Section& s : all)
    if (wanted(s.table.id)) out.push_back(std::move(s));
  return out;
}

// One picture a file, in a folder; or one alone as a file or on standard output.
Result<int> write_pictures(const report::Sections& sections, const std::string& output) {
  std::vector<const report::Chart*> charts;
  for (const auto& s : sections)
    if (s.chart) charts.push_back(&*s.chart);
  if (charts.empty()) return fail(Code::usage, "these tables have no figure, or too little data for one");
  bool one_file = output == "-" || ends_with(output, ".svg");
  if (one_file && charts.size() > 1) return fail(Code::usage, fmt::format("there are {} figures: choose one with --table, or name a folder with -o", charts.size()));
  if (output == "-") {
    print(report::chart_svg(*charts[0]));
    return kEvaluated;
  }
  for (const report::Chart* chart : charts) {
    fs::path path = one_file ? fs::path(output) : fs::path(output) / (chart->id + ".svg");
    std::error_code ec;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), ec);
    KBX_TRY(write_file(path, report::chart_svg(*chart)));
    say("wrote " + path.string());
  }
  return kEvaluated;
}

Result<int> run_analyze(const Options& o) {
  KBX_TRY_ASSIGN(auto rules, rules_of(o));
  KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open(o.runs));
  KBX_TRY_ASSIGN(report::Study study, report::study_of(runs, rules));
  KBX_TRY_ASSIGN(report::Sections sections, sections_of(o, runs, study));
  if (o.format == "svg") return write_pictures(sections, o.output.empty() ? "figures" : o.output);
  return write_sections(sections, o.format, o.output);
}

std::string footer() {
  std::string out = "Tables:\n";
  for (const auto& entry : report::analyses()) out += fmt::format("  {:20} {}\n", entry.id, entry.what);
  out += "  against_paper        with --against paper: published figures beside ours\n"
         "  published_verdicts, published_speed   with --against FILE: what was published of these candidates\n";
  return out +
         "Examples:\n"
         "  kbx analyze runs/today                                    every table\n"
         "  kbx analyze runs/a runs/b --table stages_by_method --table deviance\n"
         "  kbx analyze runs/all --method 'claude*=claude' --method 'qwen*=qwen' --against paper\n"
         "  kbx analyze runs/all --against candidates.jsonl --table published_speed\n"
         "  kbx analyze runs/all --format latex -o tables.tex         for \\input\n"
         "  kbx analyze runs/all --format svg -o figures/             one SVG a figure";
}

}  // namespace

std::function<int()> setup_analyze(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->runs, "folders of runs; several are analysed together")->required();
  app.add_option("--format", o->format, "text (default), md, csv, json, latex or svg (the figures)")->check(CLI::IsMember({"text", "md", "csv", "json", "latex", "svg"}));
  app.add_option("--table", o->tables, "this table alone; may be given again [all]");
  app.add_option("--method", o->methods, "GLOB=NAME: candidates whose id (or RUN/ID) fits GLOB are of method NAME, of none if NAME is - (left out); the first that fits counts");
  app.add_option("--methods", o->methods_file, "a file of such rules, one a line, # for comments");
  app.add_option("--against", o->against, "paper: published figures beside ours; a .jsonl that was judged: what its lines say was published of each candidate");
  app.add_option("-o,--output", o->output, "file, - for standard output, or folder (svg) [-, svg: figures/]");
  app.footer(footer());
  return [o] {
    auto code = run_analyze(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
