// kbx diff: what changed between two runs, and why.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/sections.h"
#include "cli/terminal.h"
#include "report/analysis/run_diff.h"

namespace kbx::cli {
namespace {

struct Options {
  std::string before, after, format = "text", output;
  bool gate = false;
};

Result<int> run_diff(const Options& o) {
  KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open({o.before, o.after}, true));
  KBX_TRY_ASSIGN(report::RunDiff diff, report::diff_runs(runs));
  KBX_TRY_ASSIGN(int code, write_sections(report::diff_sections(diff), o.format, o.output));
  if (o.gate && diff.regressions() > 0) {
    say(fmt::format("gate: {} regressions (correct before and failing now, or slower beyond both intervals)", diff.regressions()));
    return kGateFailed;
  }
  return code;
}

}  // namespace

std::function<int()> setup_diff(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("BEFORE", o->before, "the first run's folder")->required();
  app.add_option("AFTER", o->after, "the second run's folder")->required();
  app.add_flag("--fail-on-regression", o->gate, "exit 1 when a correct candidate fails now, or is slower beyond both intervals");
  app.add_option("--format", o->format, "text (default), md, csv, json or latex")->check(CLI::IsMember(kSectionFormats));
  app.add_option("-o,--output", o->output, "file, or - for standard output [-]");
  app.footer("Candidates are matched by their ids.\nExample:\n  kbx diff runs/main runs/today --fail-on-regression");
  return [o] {
    auto code = run_diff(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
