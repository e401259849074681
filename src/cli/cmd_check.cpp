// kbx check: one kernel, for a human: the verdict; what is wrong, where, and what to change; resources and what the
// counts mean for GPUs that are not here.
#include "base/text.h"
#include "cli/card_session.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/job.h"
#include "report/hardware.h"
#include "report/terminal.h"
#include "store/record_json.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::string path, task;
  bool json = false, all_cases = false;
};

// A file that is code as it stands is named as the user named it, so that editors find the place.
std::string shown_file(const Options& o, const Record& r, const Candidate& c) { return c.how == "whole" && ends_with(o.path, ".py") ? o.path : r.candidate; }

Json check_json(const Record& r) {
  Json j = store::to_json(r);
  if (Json hardware = report::hardware_json(r); !hardware.is_null()) j["hardware"] = std::move(hardware);
  return j;
}

Result<int> run_check(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  KBX_TRY_ASSIGN(config.archs, every_arch_unless_named(settings));
  config.kernel_threads = config.jobs;
  if (settings.text("seed").empty()) config.seed = random_seed();
  else {
    KBX_TRY_ASSIGN(int64_t seed, settings.integer("seed"));
    config.seed = uint64_t(seed);
  }
  KBX_TRY_ASSIGN(auto candidates, load_candidates(settings, suite, o.path, o.task));
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.json));
  KBX_TRY_ASSIGN(auto cards, CardSession::open(settings, server->facts(), *server, config, o.json));
  eval::TruthCache truths(*server, config);
  bool all_correct = true, broken = false;
  int64_t ordinal = 0;
  for (const Candidate& c : candidates) {
    Record r = eval::run_job(eval::plan(c, suite.find(c.task), ordinal++, config), {*server, truths, config, cards->bench()});
    if (o.json) print(dump_json(check_json(r)) + "\n");
    else print(report::terminal_candidate(r, c.source, {shown_file(o, r, c), use_colour(), o.all_cases}) + "\n");
    all_correct &= r.verdict == Verdict::correct;
    broken |= r.verdict == Verdict::harness_error;
  }
  return broken ? kHarness : all_correct ? kEvaluated : kGateFailed;
}

}  // namespace

std::function<int()> setup_check(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->path, "a .py, a Markdown reply, a .jsonl or -")->required();
  app.add_option("--task", o->task, "the task it claims to solve (else the file's name says it)");
  app.add_flag("--json", o->json, "the whole record as JSON");
  app.add_flag("--cases", o->all_cases, "list every case, not only those that are wrong");
  add_settings(app, o->flags, {"python", "suite", "device", "timing", "sanitize", "cuda-tools", "arch", "jobs", "seed", "extract", "lint", "jail", "replay", "second-look", "call-seconds", "kernel-seconds", "memory-gib"});
  app.footer("Example:\n  kbx check softmax.py --task softmax\nExit code 1: it is not correct.");
  return [o] {
    auto code = run_check(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
