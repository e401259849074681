// kbx report: what is stored, again, in another form.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "report/csv.h"
#include "report/json_document.h"
#include "report/markdown.h"
#include "report/page.h"
#include "report/sarif.h"
#include "report/upstream.h"

namespace kbx::cli {
namespace fs = std::filesystem;
namespace {

using Writer = Result<void> (*)(const report::Runs&, const report::Sink&);

const std::map<std::string, Writer> kWriters = {{"html", report::write_page},
                                                {"md", report::write_markdown},
                                                {"csv", report::write_csv},
                                                {"json", report::write_json},
                                                {"sarif", report::write_sarif}};

struct Options {
  std::vector<std::string> runs;
  std::string format, output;  // format "": by the output's name
};

std::string format_of(const Options& o) {
  if (!o.format.empty()) return o.format;
  std::string end = fs::path(o.output).extension().string();
  return end.size() > 1 && kWriters.count(end.substr(1)) ? end.substr(1) : "html";
}

// A neighbour of the file that takes its place when all is written: a reader never sees half a report. A special file
// (/dev/stdout, /dev/null) is written to as it is.
Result<void> write_to(const fs::path& path, const report::Runs& runs, Writer write) {
  std::error_code ec;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), ec);
  bool special = is_special_file(path);
  fs::path part = path;
  if (!special) part += ".part";
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  if (!file) return fail(Code::io, "cannot write " + part.string());
  auto done = write(runs, [&](std::string_view bytes) { file.write(bytes.data(), std::streamsize(bytes.size())); });
  file.close();
  if (!done || !file) {
    if (!special) fs::remove(part, ec);
    return done ? fail(Code::io, "cannot write " + path.string() + " (is the disk full?)") : done;
  }
  if (!special) fs::rename(part, path, ec);
  if (ec) return fail(Code::io, "cannot write " + path.string() + ": " + ec.message());
  return {};
}

Result<int> write_upstream(const report::Runs& runs, const fs::path& folder) {
  KBX_TRY_ASSIGN(auto files, report::upstream_files(runs));
  for (const report::TextFile& file : files) {
    fs::path path = folder / file.path;
    std::error_code ec;
    fs::create_directories(path.parent_path(), ec);
    if (ec) return fail(Code::io, "cannot make the folder " + path.parent_path().string() + ": " + ec.message());
    KBX_TRY(write_file(path, file.text));
    say("wrote " + path.string());
  }
  return kEvaluated;
}

Result<int> run_report(const Options& o) {
  KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open(o.runs));
  std::string format = format_of(o);
  if (format == "upstream") {
    if (o.output == "-") return fail(Code::usage, "upstream is two files: name a folder with -o");
    return write_upstream(runs, o.output.empty() ? "upstream" : o.output);
  }
  Writer write = kWriters.at(format);
  std::string output = o.output.empty() ? (format == "html" ? "report.html" : "-") : o.output;
  if (output == "-") {
    KBX_TRY(write(runs, [](std::string_view bytes) { print(bytes); }));
    return kEvaluated;
  }
  KBX_TRY(write_to(output, runs, write));
  std::error_code ec;
  auto bytes = fs::file_size(output, ec);
  say(ec ? "wrote " + output : fmt::format("wrote {} ({:.1f} MB)", output, double(bytes) / 1e6));
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_report(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->runs, "folders of runs; several make one report")->required();
  app.add_option("--format", o->format, "html, md, csv, json, sarif or upstream [by the end of -o, else html]")
      ->check(CLI::IsMember({"html", "md", "csv", "json", "sarif", "upstream"}));
  app.add_option("-o,--output", o->output,
                 "file, - for standard output, or folder (upstream) [html: report.html, upstream: upstream/, else -]");
  app.footer(
      "Examples:\n"
      "  kbx report runs/today                                 report.html, one file for a browser\n"
      "  kbx report runs/today --format md >> $GITHUB_STEP_SUMMARY\n"
      "  kbx report runs/a runs/b --format csv -o both.csv\n"
      "  kbx report runs/today --format upstream -o published   metrics.json and summary.json");
  return [o] {
    auto code = run_report(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
