// kbx profile: one kernel at one performance size under ncu: what it moves and what it keeps busy, and the bytes against
// the task's formula.
#include "cli/card_session.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/profile.h"
#include "report/profile_text.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::string path, task, size;
  bool json = false;
};

Result<int> run_profile(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  if (!config.card) return fail(Code::usage, "kbx profile needs a GPU: ncu counts on the card");
  KBX_TRY_ASSIGN(gpu::Tool ncu, gpu::find_tool("ncu", settings.text("cuda-tools")));
  KBX_TRY_ASSIGN(auto candidates, load_candidates(settings, suite, o.path, o.task));
  if (settings.text("seed").empty()) config.seed = random_seed();
  else {
    KBX_TRY_ASSIGN(int64_t seed, settings.integer("seed"));
    config.seed = uint64_t(seed);
  }
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.json));
  KBX_TRY_ASSIGN(auto session, CardSession::open(settings, server->facts(), *server, config, o.json));
  if (!session->cards()) return fail(Code::sandbox, "there is no card that can be used (kbx doctor)");
  for (const Candidate& c : candidates) {
    KBX_TRY_ASSIGN(CandidateProfile p, eval::profile({c, *suite.find(c.task), o.size, ncu}, config, *session->cards(), *server));
    print(o.json ? dump_json(report::profile_json(p)) + "\n" : report::profile_text(p));
  }
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_profile(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->path, "a .py, a Markdown reply, a .jsonl or -")->required();
  app.add_option("--task", o->task, "the task it claims to solve (else the file's name says it)");
  app.add_option("--size", o->size, "performance size of the task [the one that moves most bytes]");
  app.add_flag("--json", o->json, "an object a candidate");
  add_settings(app, o->flags, {"python", "suite", "device", "cuda-tools", "seed", "extract", "jail", "call-seconds", "memory-gib"});
  app.footer("Example:\n  kbx profile softmax.py --task softmax\nNothing is judged: a wrong kernel is profiled as well (docs/sanitize.md).");
  return [o] {
    auto code = run_profile(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
