// kbx: judges GPU kernels written by language models. This file holds the table of verbs and nothing else.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/parse_fault.h"
#include "cli/terminal.h"
#include "model/version.h"

namespace {

using namespace kbx::cli;

constexpr std::array kCommands{
    Command{"eval", "judge candidates: .py, folders, .jsonl, Markdown replies, - for standard input", setup_eval},
    Command{"check", "judge one kernel and explain what is wrong, and where", setup_check},
    Command{"run", "let a model write kernels by a method, judge them, keep everything", setup_run},
    Command{"methods", "the methods: their loops, models and numbers of calls", setup_methods},
    Command{"models", "the models: prices, limits, what they may have seen", setup_models},
    Command{"report", "what a run holds as html, md, csv, json, sarif or the published pipeline's files", setup_report},
    Command{"show", "one candidate of a run in full", setup_show},
    Command{"analyze", "what runs say: stages, failures, deviance, rounds, speed, cost, portability", setup_analyze},
    Command{"diff", "what changed between two runs, and why", setup_diff},
    Command{"merge", "join runs of several GPUs into one", setup_merge},
    Command{"site", "runs as a static leaderboard site", setup_site},
    Command{"dataset", "runs as training data: transitions, answers, preferences; JSONL and Parquet", setup_dataset},
    Command{"lint", "the static rules alone", setup_lint},
    Command{"compile", "compile kernels for GPUs that are not here: registers, spills, shared memory", setup_compile},
    Command{"profile", "what a kernel moves and keeps busy on the card, by ncu", setup_profile},
    Command{"calibrate", "what this machine's card reaches; --aa: does the clock tell the truth?", setup_calibrate},
    Command{"tasks", "the suite: list, show, prompt, schema, check", setup_tasks},
    Command{"doctor", "is this machine fit, and what to do if not", setup_doctor},
    Command{"config", "effective settings and where each came from", setup_config},
};

constexpr const char* kFooter =
    "Examples:\n"
    "  kbx eval replies.jsonl --run runs/today      judge every line, keep the run\n"
    "  kbx check softmax.py --task softmax          why is my kernel wrong?\n"
    "  kbx run geak --model deepseek-v4-pro         kernels from a model, judged as they come\n"
    "  kbx report runs/today -o report.html         a page to look at\n"
    "Exit codes: 0 evaluated, 1 a requested gate failed, 2 usage or input, 3 kbx or the machine.";

int run(int argc, char** argv) {
  CLI::App app{"kbx: is this kernel right, does it do the work itself, and how close to the hardware does it run?", "kbx"};
  app.set_version_flag("--version", std::string("kbx ") + kbx::kEngineVersion);
  app.require_subcommand(1);
  app.footer(kFooter);
  int code = kEvaluated;
  for (const Command& c : kCommands) {
    CLI::App* sub = app.add_subcommand(c.name, c.summary);
    sub->footer("");  // else it has ours: examples of other verbs
    sub->callback([&code, work = c.setup(*sub)] { code = work(); });
  }
  if (argc <= 1) {
    print(app.help());
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);  // --help, --version
    say("kbx: " + kbx::shown(parse_fault(app, e)));
    return kUsage;
  }
  return code;
}

// A job holds about ten descriptors and machines give 1024 at first: with many jobs that is too few.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  raise_descriptor_limit();
  ::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of the write, with a name and a place
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {  // a library threw where its wrapper did not expect it
    kbx::cli::say(std::string("kbx: internal error: ") + e.what());
    return kHarness;
  }
}
