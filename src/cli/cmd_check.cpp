// kbx check: one kernel, for a human: the verdict, why, where, and the resource table.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/job.h"
#include "intake/load.h"
#include "report/json_lines.h"
#include "report/terminal.h"
#include "store/record_json.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::string path, task;
  bool json = false;
};

Result<int> run_check(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  if (settings.entries().at("arch").origin == "default") {
    KBX_TRY_ASSIGN(config.archs, parse_archs("all"));
    std::stable_partition(config.archs.begin(), config.archs.end(), [](int a) { return a == 90; });
  }
  config.kernel_threads = config.jobs;
  if (settings.text("seed").empty()) config.seed = random_seed();
  else {
    KBX_TRY_ASSIGN(int64_t seed, settings.integer("seed"));
    config.seed = uint64_t(seed);
  }
  auto names = task_names(suite);
  intake::LoadOptions load;
  load.tasks = &names;
  load.task = o.task;
  load.mode = intake::extract_mode_from_text(settings.text("extract")).value_or(intake::ExtractMode::kbx);
  auto loaded = intake::load_all({o.path}, load);
  for (const auto& p : loaded.problems) say("warning: " + p.text());
  if (loaded.candidates.empty()) return fail(Code::usage, "no candidate in " + o.path);
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.json));
  eval::TruthCache truths(*server, config);
  bool all_correct = true, broken = false;
  int64_t ordinal = 0;
  for (Candidate& c : loaded.candidates) {
    std::string source = c.source;
    const Task* task = suite.find(c.task);
    Record r = eval::run_job(eval::plan(std::move(c), task, ordinal++, config), {*server, truths, config});
    if (o.json) print(dump_json(store::to_json(r)) + "\n");
    else print(report::terminal_candidate(r, source, use_colour()) + "\n");
    all_correct &= r.verdict == Verdict::correct;
    broken |= r.verdict == Verdict::harness_error;
    if (!r.in_suite) return fail(Code::usage, r.explanation);
  }
  return broken ? kHarness : all_correct ? kEvaluated : kGateFailed;
}

}  // namespace

std::function<int()> setup_check(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->path, "a .py, a Markdown reply, a .jsonl or -")->required();
  app.add_option("--task", o->task, "the task it claims to solve (else the file's name says it)");
  app.add_flag("--json", o->json, "the whole record as JSON");
  add_settings(app, o->flags, {"python", "suite", "arch", "seed", "extract", "lint", "jail", "second-look", "call-seconds", "kernel-seconds", "memory-gib"});
  app.footer("Example:\n  kbx check softmax.py --task softmax\nExit code 1: it is not correct.");
  return [o] {
    auto code = run_check(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
