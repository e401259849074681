// kbx compile: what the compiler makes of a candidate's kernels for GPUs that are not here.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/plan.h"
#include "eval/truth.h"
#include "report/terminal.h"
#include "sandbox/run.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::string path, task;
  bool json = false;
};

sandbox::Request make_request(const Candidate& c, const Task& task, const eval::EvalConfig& config, const std::vector<eval::CaseTruth>& calls) {
  sandbox::Request r;
  r.role = sandbox::Role::compile;
  r.source = c.source;
  r.entries = eval::accepted_entries(c, task);
  r.archs = config.archs;
  r.arch = config.archs.front();
  r.limits = config.limits;
  r.limits.call_seconds = 120;
  r.jail = config.jail;
  for (const auto& call : calls) {
    if (call.phase != "standard") continue;
    sandbox::CallStep step;
    step.call = &call.call;
    step.names = &call.names;
    step.mutates = task.mutates;
    r.steps.push_back(std::move(step));
  }
  return r;
}

Json compiled_json(const Compiled& c) {
  return {{"kernel", c.kernel}, {"arch", fmt::format("sm_{}", c.arch)}, {"ok", c.ok}, {"registers", c.registers}, {"stack", c.stack}, {"spill_stores", c.spill_stores},
          {"spill_loads", c.spill_loads}, {"shared", c.shared}, {"num_warps", c.num_warps}, {"num_stages", c.num_stages}, {"seconds", c.seconds}, {"error", c.error}};
}

Result<int> run_compile(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  KBX_TRY_ASSIGN(config.archs, every_arch_unless_named(settings));
  KBX_TRY_ASSIGN(auto candidates, load_candidates(settings, suite, o.path, o.task));
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.json));
  bool refused = false;
  for (const Candidate& c : candidates) {
    const Task& task = *suite.find(c.task);
    KBX_TRY_ASSIGN(auto calls, eval::make_calls(task, config.seed));
    KBX_TRY_ASSIGN(auto out, sandbox::run(*server, make_request(c, task, config, calls)));
    Record r;
    std::string problem = out.note;
    if (out.load_error) problem = out.load_error->type + ": " + out.load_error->message;
    for (const auto& step : out.steps) {
      r.compiled.insert(r.compiled.end(), step.compiled.begin(), step.compiled.end());
      if (step.error && problem.empty()) problem = step.error->type + ": " + step.error->message;
    }
    for (const Compiled& k : r.compiled) refused |= !k.ok;
    refused |= r.compiled.empty();
    if (o.json) {
      Json list = Json::array();
      for (const Compiled& k : r.compiled) list.push_back(compiled_json(k));
      print(dump_json({{"candidate", c.id}, {"task", c.task}, {"compiled", list}, {"problem", problem}}) + "\n");
      continue;
    }
    print(c.id + "  task " + c.task + "\n" + (r.compiled.empty() ? std::string("no kernel reached the compiler\n") : report::terminal_resources(r)));
    if (!problem.empty()) print("  " + problem + "\n");
  }
  return refused ? kGateFailed : kEvaluated;
}

}  // namespace

std::function<int()> setup_compile(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("SRC", o->path, "a .py, a Markdown reply or a .jsonl")->required();
  app.add_option("--task", o->task, "the task: its cases give the argument types (else the file's name says it)");
  app.add_flag("--json", o->json, "as JSON");
  add_settings(app, o->flags, {"python", "suite", "arch", "jail"});
  app.footer("Example:\n  kbx compile softmax.py --arch sm_80,sm_90,sm_120\nExit code 1: a kernel was refused, or none was reached.");
  return [o] {
    auto code = run_compile(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
