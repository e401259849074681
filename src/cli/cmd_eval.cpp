// kbx eval: candidates in, verdicts out.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "base/text.h"
#include "cli/card_session.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/evaluate.h"
#include "eval/queue.h"
#include "intake/load.h"
#include "model/version.h"
#include "report/json_lines.h"
#include "report/terminal.h"

namespace kbx::cli {
namespace {

std::atomic<bool> interrupted{false};  // set by the signal handler, read by the crew
void on_interrupt(int) { interrupted = true; }

struct Options {
  Flags flags;
  std::vector<std::string> paths;
  std::string task, run;
  bool resume = false, json = false, schema = false, quiet = false;
  std::string profile = "kbx";
  double fail_under = -1;
};

// Candidates as they are loaded, with a bounded queue between; problems are told at once.
class Feed {
 public:
  Feed(const Options& options, const intake::LoadOptions& load, Progress& progress)
      : queue_(256), thread_([this, &options, load, &progress] {
          int64_t found = 0;
          intake::LoadSink sink;
          sink.candidate = [&](Candidate c) {
            progress.expect(++found, false);
            queue_.push(std::move(c));
          };
          sink.problem = [&](intake::LoadProblem p) {
            problems_++;
            say("warning: " + shown(p.text(), 1000));
          };
          intake::load(options.paths, load, sink);
          progress.expect(found, true);
          queue_.close();
        }) {}
  ~Feed() { queue_.cancel(); }
  std::optional<Candidate> next() { return queue_.pop(); }
  int64_t problems() const { return problems_; }

 private:
  eval::BoundedQueue<Candidate> queue_;
  std::atomic<int64_t> problems_{0};
  std::jthread thread_;
};

std::string default_run_folder() {
  std::string stamp = utc_now();
  for (char& c : stamp)
    if (c == ':') c = '-';
  return "runs/" + stamp;
}

// A resumed run keeps its seed: the same inputs, the same verdicts.
Result<void> settle_seed(const Settings& settings, store::Store& store, bool resume, eval::EvalConfig& config) {
  KBX_TRY_ASSIGN(Json facts, store.facts());
  KBX_TRY_ASSIGN(int64_t stored, store.count());
  if (stored > 0 && !resume)
    return fail(Code::usage, store.folder().string() + " already holds " + std::to_string(stored) + " results; add --resume to go on with it, or choose another --run");
  auto old = get_string(get(facts, "config"), "seed");
  if (!settings.text("seed").empty()) {
    KBX_TRY_ASSIGN(int64_t seed, settings.integer("seed"));
    config.seed = uint64_t(seed);
    if (old && *old != std::to_string(config.seed)) return fail(Code::usage, "the run was started with another seed; leave --seed out to resume it");
  } else {
    config.seed = old ? std::strtoull(old->c_str(), nullptr, 10) : random_seed();
  }
  return {};
}

Result<void> put_facts(store::Store& store, const eval::EvalConfig& config, const sandbox::ZygoteFacts& facts, const Options& options) {
  KBX_TRY(store.put_fact("config", {{"seed", std::to_string(config.seed)}, {"archs", config.archs}, {"device", config.device}, {"lint", config.lint},
                                    {"jail", config.jail}, {"fingerprint", config.fingerprint()}, {"paths", options.paths}}));
  KBX_TRY(store.put_fact("versions", {{"kbx", kEngineVersion}, {"python", facts.python}, {"torch", facts.torch}, {"triton", facts.triton}, {"numpy", facts.numpy}}));
  return store.put_fact("started", utc_now());
}

// What was named must be there.
Result<void> check_names(const Options& o, const suite::Suite& suite) {
  if (!o.task.empty() && !suite.find(o.task)) {
    auto near = suite.suggest(o.task);
    std::string hint;
    for (const auto& n : near) hint += (hint.empty() ? "; did you mean " : ", ") + n;
    return fail(Code::usage, "the suite has no task " + o.task + hint);
  }
  std::error_code ec;
  for (const auto& path : o.paths)
    if (path != "-" && !std::filesystem::exists(path, ec)) return fail(Code::usage, "there is no " + path);
  return {};
}

Result<int> evaluate(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  auto names = task_names(suite);
  intake::LoadOptions load;
  load.tasks = &names;
  load.task = o.task;
  auto mode = intake::extract_mode_from_text(settings.text("extract"));
  if (!mode) return fail(Code::usage, "extract must be kbx, upstream or repair");
  load.mode = *mode;
  KBX_TRY(check_names(o, suite));
  KBX_TRY_ASSIGN(store::Store store, store::Store::open(o.run.empty() ? default_run_folder() : o.run));
  KBX_TRY(settle_seed(settings, store, o.resume, config));
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.quiet));
  KBX_TRY_ASSIGN(auto cards, CardSession::open(settings, server->facts(), *server, config, o.quiet));
  KBX_TRY(put_facts(store, config, server->facts(), o));
  Progress progress(o.quiet ? Progress::Mode::silent : stderr_is_terminal() ? Progress::Mode::bar : Progress::Mode::lines);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESETHAND;  // a second Ctrl-C ends at once
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  auto start = Steady::now();
  int64_t problems = 0;
  {
    Feed feed(o, load, progress);
    KBX_TRY_ASSIGN(auto tally, eval::evaluate({suite, config, *server, cards->bench(), store, progress, [&] { return feed.next(); }, interrupted}));
    problems = feed.problems();
    progress.clear();
    if (tally.resumed && !o.quiet) say(fmt::format("{} candidates were judged before and kept", tally.resumed));
  }
  double wall = seconds_since(start);
  report::Summary summary;
  KBX_TRY(store.each([&](const Record& r) {
    summary.add(r);
    if (o.json) print(dump_json(report::json_line(r)) + "\n");
    return true;
  }));
  if (o.json) print(dump_json(report::json_summary(summary, wall)) + "\n");
  else print("\n" + report::terminal_summary(summary, wall, use_colour()));
  if (!o.quiet) say(fmt::format("run: {}  ·  kbx report {} -o report.html", store.folder().string(), store.folder().string()));
  if (problems) say(fmt::format("{} input lines or files could not be read (see the warnings above)", problems));
  if (interrupted) say("interrupted: what is done is stored; go on with --resume --run " + store.folder().string());
  if (interrupted) return kHarness;
  if (summary.candidates == 0) return fail(Code::usage, "no candidate was found in what was given");
  double rate = summary.all.candidates ? double(o.profile == "paper" ? summary.all.paper_exe : summary.all.exe) / double(summary.all.candidates) : 0;
  if (o.fail_under >= 0 && rate < o.fail_under) {
    say(fmt::format("gate: {:.3f} of the candidates are correct (profile {}), --fail-under {:g} asks for more", rate, o.profile, o.fail_under));
    return kGateFailed;
  }
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_eval(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("PATH", o->paths, "what to judge: .py, .md, folder, .jsonl, or - for standard input");
  app.add_option("--task", o->task, "the task of all candidates (else: each line's or file's own)");
  app.add_option("--run", o->run, "folder for the results [runs/<time>]");
  app.add_flag("--resume", o->resume, "go on with a run: what it holds is not judged again");
  app.add_flag("--json", o->json, "one JSON object a candidate on stdout, in input order, then a summary");
  app.add_flag("--schema", o->schema, "print the JSON Schema of --json and leave");
  app.add_flag("-q,--quiet", o->quiet, "no progress");
  app.add_option("--fail-under", o->fail_under, "exit 1 if a smaller share (0..1) is correct")->check(CLI::Range(0.0, 1.0));
  app.add_option("--profile", o->profile, "whose verdict --fail-under goes by: kbx or paper; both are always stored [kbx]")->check(CLI::IsMember({"kbx", "paper"}));
  add_settings(app, o->flags, {"python", "suite", "device", "timing", "sanitize", "cuda-tools", "arch", "jobs", "seed", "extract", "lint", "delegation", "replay", "second-look", "jail", "load-seconds", "call-seconds", "job-seconds", "kernel-seconds", "memory-gib"});
  app.footer("Example:\n  kbx eval replies.jsonl --run runs/today --fail-under 0.5");
  return [o] {
    if (o->schema) {
      print(dump_json(report::json_lines_schema(), 2) + "\n");
      return kEvaluated;
    }
    if (o->paths.empty()) return report_error({Code::usage, "nothing to judge: name a file, a folder, a .jsonl or - (kbx eval --help)", {}});
    auto code = evaluate(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
