// kbx site: runs as a leaderboard to look at, a folder that needs no server.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "report/site.h"

namespace kbx::cli {
namespace {

struct Options {
  std::vector<std::string> runs, methods;
  std::string output, title = "kbx leaderboard";
};

Result<int> run_site(const Options& o) {
  report::SiteOptions options{o.title, {}};
  for (const std::string& rule : o.methods) {
    KBX_TRY_ASSIGN(auto parsed, report::parse_method_rule(rule));
    options.methods.push_back(std::move(parsed));
  }
  KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open(o.runs));
  KBX_TRY_ASSIGN(report::SiteTotals totals, report::write_site(runs, options, o.output));
  std::string left = totals.left_out ? fmt::format(" ({} left out by a rule)", totals.left_out) : "";
  say(fmt::format("wrote {}: {} methods, {} tasks, {} candidates{} in {} files; open {}/index.html", o.output, totals.methods, totals.tasks, totals.candidates, left, totals.files, o.output));
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_site(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->runs, "folders of runs")->required();
  app.add_option("-o,--output", o->output, "folder for the site; must not exist or be empty")->required();
  app.add_option("--method", o->methods, "GLOB=NAME: the method of candidates whose id, or RUN/id, fits; NAME - leaves them out; may be given again");
  app.add_option("--title", o->title, "headline of the site [kbx leaderboard]");
  app.footer(
      "Examples:\n"
      "  kbx site runs/geak runs/claude -o site        then open site/index.html\n"
      "  kbx site runs/all -o site --method 'claude*.jsonl:*=Claude' --method 'qwen*=Qwen'");
  return [o] {
    auto code = run_site(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
