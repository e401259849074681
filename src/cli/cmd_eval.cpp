// kbx eval: candidates in, verdicts out.
#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/card_session.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/run_folder.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/evaluate.h"
#include "eval/queue.h"
#include "intake/load.h"
#include "report/json_lines.h"
#include "report/reward.h"
#include "report/terminal.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::vector<std::string> paths;
  std::string task, run, reward, method;
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
            say("warning: " + shown_line(p.text(), 1000));
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

Result<void> put_facts(store::Store& store, const eval::EvalConfig& config, const sandbox::ZygoteFacts& facts, const Options& options) {
  KBX_TRY(store.put_fact("config", {{"seed", std::to_string(config.seed)}, {"archs", config.archs}, {"device", config.device}, {"lint", config.lint},
                                    {"jail", config.jail}, {"fingerprint", config.fingerprint()}, {"paths", options.paths}}));
  if (!options.method.empty()) KBX_TRY(store.put_fact("method", options.method));
  return put_versions(store, facts);
}

// What was named must be there.
Result<void> check_names(const Options& o, const suite::Suite& suite) {
  KBX_TRY(known_task(suite, o.task));
  std::error_code ec;
  for (const auto& path : o.paths)
    if (path != "-" && !std::filesystem::exists(path, ec)) return fail(Code::usage, "there is no " + path);
  return {};
}

Result<std::optional<stats::RewardSpec>> reward_spec(const Options& o) {
  if (o.reward.empty()) return std::nullopt;
  KBX_TRY_ASSIGN(auto spec, stats::RewardSpec::parse(o.reward));
  return spec;
}

// Everything that the run holds, and the summary.
Result<void> print_results(const store::Store& store, const Options& o, const std::optional<stats::RewardSpec>& reward, double wall, report::Summary& summary) {
  report::RewardSummary rewards;
  KBX_TRY(store.each([&](const Record& r) {
    summary.add(r);
    Json line = o.json ? report::json_line(r) : Json();
    if (reward) {
      auto paid = report::reward_of(r, *reward);
      rewards.add(paid);
      if (o.json) line["reward"] = report::reward_json(paid);
    }
    if (o.json) print(dump_json(line) + "\n");
    return true;
  }));
  if (o.json) {
    Json last = report::json_summary(summary, wall);
    if (reward) last["summary"]["reward"] = report::reward_summary_json(rewards, *reward);
    print(dump_json(last) + "\n");
    return {};
  }
  print("\n" + report::terminal_summary(summary, wall, use_colour()));
  if (reward && rewards.candidates > 0)
    print(fmt::format("reward: mean {:.3f} over {} candidates, {} above 0, largest {:.3f}  ({})\n", rewards.sum / double(rewards.candidates), rewards.candidates,
                      rewards.paid, rewards.most, reward->text()));
  return {};
}

Result<int> evaluate(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  KBX_TRY_ASSIGN(auto reward, reward_spec(o));
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
  const std::atomic<bool>& interrupted = watch_interrupts();
  auto start = Steady::now();
  int64_t problems = 0;
  {
    Feed feed(o, load, progress);
    KBX_TRY_ASSIGN(auto tally, eval::evaluate({suite, config, *server, cards->bench(), store, progress, [&] { return feed.next(); }, interrupted}));
    problems = feed.problems();
    progress.clear();
    if (tally.resumed && !o.quiet) say("judged before and kept: " + counted(tally.resumed, "candidate"));
  }
  double wall = seconds_since(start);
  report::Summary summary;
  KBX_TRY(print_results(store, o, reward, wall, summary));
  if (!o.quiet) say(fmt::format("run: {}  ·  kbx report {} -o report.html", store.folder().string(), store.folder().string()));
  if (problems) say(fmt::format("{} input lines or files could not be read (see the warnings above)", problems));
  if (interrupted) say("interrupted: what is done is stored; go on with --resume --run " + store.folder().string());
  if (interrupted) return kHarness;
  if (summary.candidates == 0) return fail(Code::usage, "no candidate was found in what was given");
  if (summary.all.of(Verdict::harness_error)) return kHarness;  // the summary says so; --resume tries them again
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
  app.add_option("--method", o->method, "name of the method that wrote the candidates, kept with the run for kbx analyze");
  app.add_flag("--resume", o->resume, "go on with a run: what it holds is not judged again");
  app.add_flag("--json", o->json, "one JSON object a candidate on stdout, in input order, then a summary");
  app.add_flag("--schema", o->schema, "print the JSON Schema of --json and leave");
  app.add_flag("-q,--quiet", o->quiet, "no progress");
  app.add_option("--reward", o->reward, "a score in [0, 1] for each candidate: `default`, or weights such as correct=0.2,fidelity=0.3,efficiency=0.5 (docs/reward.md)");
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
