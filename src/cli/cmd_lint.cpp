// kbx lint: the static rules alone.
#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/plan.h"
#include "intake/load.h"
#include "lint/lint.h"
#include "lint/sarif.h"
#include "model/version.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::vector<std::string> paths;
  std::string task, format = "text";
  bool rules = false;
};

Result<int> run_lint(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  auto names = task_names(suite);
  intake::LoadOptions load;
  load.tasks = &names;
  load.task = o.task;
  int rejected = 0, checked = 0;
  std::vector<lint::SarifFile> sources;
  Json lines = Json::array();
  intake::LoadSink sink;
  sink.problem = [](intake::LoadProblem p) { say("warning: " + p.text()); };
  sink.candidate = [&](Candidate c) {
    const Task* task = suite.find(c.task);
    lint::LintInput input;
    input.source = c.source;
    // As in an evaluation; without a task only the name that was asked for is known.
    input.accepted_entries = task ? eval::accepted_entries(c, *task) : std::vector<std::string>{c.entry.empty() ? c.task : c.entry, c.task, "kernel_function"};
    input.entry = input.accepted_entries.front();
    input.quantization_task = task && task->quantized;
    auto findings = lint::lint(input);
    checked++;
    for (const Finding& f : findings) {
      rejected += f.severity == Severity::reject;
      if (o.format == "text") print(fmt::format("{}:{}:{}: {} {}: {}\n", shown_line(c.id), f.line, f.column, to_text(f.severity), f.rule, shown_line(f.message)));
      if (o.format == "json") lines.push_back({{"candidate", c.id}, {"rule", f.rule}, {"severity", to_text(f.severity)}, {"line", f.line}, {"column", f.column}, {"message", f.message}});
    }
    sources.push_back({c.id, std::move(findings)});
  };
  intake::load(o.paths, load, sink);
  if (o.format == "sarif") print(dump_json(lint::to_sarif(sources, kEngineVersion), 2) + "\n");
  if (o.format == "json") print(dump_json(lines, 2) + "\n");
  if (o.format == "text") say(counted(checked, "file") + ", " + counted(rejected, "reject"));
  return rejected ? kGateFailed : kEvaluated;
}

}  // namespace

std::function<int()> setup_lint(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("SRC", o->paths, "files or folders");
  app.add_option("--task", o->task, "the task they claim to solve");
  app.add_option("--format", o->format, "text, json or sarif")->check(CLI::IsMember({"text", "json", "sarif"}));
  app.add_flag("--rules", o->rules, "print the table of rules and leave");
  add_settings(app, o->flags, {"suite"});
  app.footer("Example:\n  kbx lint kernels/ --format sarif > lint.sarif\nExit code 1: at least one finding of severity reject.");
  return [o] {
    if (o->rules) {
      print(lint::rules_markdown());
      return kEvaluated;
    }
    if (o->paths.empty()) return report_error({Code::usage, "nothing to lint: name a file or folder", {}});
    auto code = run_lint(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
