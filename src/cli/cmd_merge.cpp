// kbx merge: runs of several GPUs, joined into one.
#include <fmt/format.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "report/runs.h"
#include "store/merge.h"

namespace kbx::cli {
namespace {

const std::set<std::string> kMayDiffer = {"engine", "seed", "tasks"};

struct Options {
  std::vector<std::string> runs;
  std::string output, allow;
};

Result<int> run_merge(const Options& o) {
  std::set<std::string> allow;
  for (const std::string& item : split(o.allow, ',')) {
    std::string name = trim(item);
    if (name.empty()) continue;
    if (!kMayDiffer.count(name)) return fail(Code::usage, "--allow takes engine, seed and tasks, not \"" + name + "\"");
    allow.insert(name);
  }
  std::vector<store::MergePart> parts;
  {
    KBX_TRY_ASSIGN(report::Runs runs, report::Runs::open(o.runs));  // for labels that no two share
    for (const auto& run : runs.all()) parts.push_back({run.label, run.store.folder()});
  }
  KBX_TRY_ASSIGN(store::MergeDone done, store::merge_runs(parts, o.output, allow));
  for (const std::string& note : done.notes) say("note: " + shown_line(note));
  if (done.doubles) say(fmt::format("{} results stood in two runs and are kept once", done.doubles));
  say(fmt::format("{} results of {} runs: {}  ·  kbx analyze {}", done.results, parts.size(), o.output, o.output));
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_merge(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->runs, "folders of runs")->required();
  app.add_option("-o,--output", o->output, "folder of the new run")->required();
  app.add_option("--allow", o->allow, "what may differ between the runs: engine, seed, tasks (commas between)");
  app.footer("Example:\n  kbx merge runs/h200 runs/a100 runs/rtx4090 -o runs/all && kbx analyze runs/all --table across_gpus --table winners");
  return [o] {
    auto code = run_merge(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
