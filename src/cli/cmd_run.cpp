// kbx run: a method, a model and tasks become judged kernels.
#include <fmt/format.h>

#include <set>
#include <thread>

#include "agent/facts.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/card_session.h"
#include "cli/exit_code.h"
#include "cli/run_batch.h"
#include "cli/run_folder.h"
#include "cli/run_options.h"
#include "cli/run_summary.h"
#include "cli/run_table.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "generate/engine.h"
#include "llm/transport.h"
#include "model/gpu_spec.h"

namespace kbx::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  kbx run claude --tasks softmax --dry-run               how many calls, and what they may cost\n"
    "  kbx run geak --model deepseek-v4-pro --tasks 'math/*' --budget usd=5 --run runs/geak\n"
    "  kbx run geak --run runs/geak --resume                  after Ctrl-C or a crash: no finished call is asked again\n"
    "  kbx run claude --batch export batch/                   request files for the vendor's batch service (half the price)\n"
    "  kbx run claude --batch import batch/results.jsonl --run runs/claude\n"
    "  kbx run kernelagent --cassette tapes --cassette-mode replay   from recorded answers, no server\n"
    "Then: kbx report RUN -o report.html. Methods: kbx methods. Models and prices: kbx models; your own in kbx.toml\n"
    "([providers.NAME] and [models.NAME]). Keys come from the environment variable that the provider names.";

std::set<std::string> names_of(const std::vector<const llm::Model*>& models) {
  std::set<std::string> out;
  for (const llm::Model* m : models) out.insert(m->name);
  return out;
}

// Lines about the card that kernels are for; "" without one.
std::string device_lines(const CardSession& cards) {
  if (!cards.cards() || cards.cards()->list().empty()) return "";
  const auto& card = cards.cards()->list().front();
  return agent::device_text(find_gpu_by_driver_name(card.name, card.sms, card.memory_bytes));
}

int calls_at_a_time(const RunPlan& plan, const llm::Registry& registry) {
  std::set<std::string> providers;
  int sum = 0;
  for (const llm::Model* m : plan.models)
    if (providers.insert(m->provider).second) sum += std::max(1, registry.providers.at(m->provider).limits.concurrency);
  return 2 * sum;  // some wait at the client, so that it never does
}

// Who answers: a provider, a cassette, or a batch file.
struct Answerers {
  std::unique_ptr<llm::Transport> transport;
  std::unique_ptr<generate::CassetteClient> cassette;
  std::unique_ptr<generate::BatchClient> batch;
  llm::Client& client() { return cassette ? static_cast<llm::Client&>(*cassette) : batch ? static_cast<llm::Client&>(*batch) : *transport; }
};

Result<Answerers> open_answerers(const RunOptions& o, const RunPlan& plan, const MethodSession& session, RunTable& table) {
  Answerers out;
  if (!o.batch.empty()) {
    KBX_TRY_ASSIGN(generate::BatchClient client, open_batch(o.batch[1], plan, session));
    out.batch = std::make_unique<generate::BatchClient>(std::move(client));
    return out;
  }
  if (plan.cassette != generate::CassetteMode::replay) {
    KBX_TRY_ASSIGN(llm::Keyring keys, llm::read_keys(session.registry, names_of(plan.models)));
    llm::hide_keys(session.registry);
    llm::TransportOptions options;
    options.notice = [&table](const std::string& text) { table.notice(text); };
    KBX_TRY_ASSIGN(out.transport, llm::Transport::make(session.registry, std::move(keys), std::move(options)));
  }
  if (plan.cassette != generate::CassetteMode::off) {
    KBX_TRY_ASSIGN(generate::Cassette cassette, generate::Cassette::open(o.cassette));
    out.cassette = std::make_unique<generate::CassetteClient>(std::move(cassette), plan.cassette, session.registry, out.transport.get(), tape_name(plan));
  }
  return out;
}

Result<void> put_run_facts(store::Store& store, const eval::EvalConfig& config, const sandbox::ZygoteFacts& facts, const RunPlan& plan) {
  Json names = Json::array();
  for (const Task* t : plan.tasks) names.push_back(t->name);
  KBX_TRY(store.put_fact("config", {{"seed", std::to_string(config.seed)}, {"archs", config.archs}, {"device", config.device}, {"lint", config.lint}, {"jail", config.jail},
                                    {"fingerprint", config.fingerprint()}}));
  KBX_TRY(store.put_fact("generation_tasks", names));
  KBX_TRY(store.put_fact("budget", generate::budget_json(plan.budget)));
  return put_versions(store, facts);
}

void tell_end(const RunOptions& o, const RunPlan& plan, const generate::Ending& end, const generate::Ledger& ledger, Answerers& answerers, const std::string& folder, bool removed) {
  std::string model = plan.models.front()->name;
  if (o.json) {
    for (const auto& t : end.tasks) print(dump_json(task_end_json(t)) + "\n");
    print(dump_json(run_summary_json(plan.method, model, end, ledger.total())) + "\n");
  } else {
    print("\n" + run_summary(plan.method, model, end, ledger.total()));
  }
  if (answerers.cassette)
    for (const std::string& d : answerers.cassette->differences()) say("not as recorded: " + shown(d, 2000));
  std::string why = !end.stopped.empty() ? end.stopped : end.out_of_budget ? "the budget is used up" : answerers.batch ? "their replies are not in the batch" : "interrupted";
  if (removed) return say(fmt::format("{} was removed again, for nothing came into it: no call was answered, nothing was judged ({}); give the same command once that is put right", folder, shown(why, 500)));
  if (!o.quiet) say(fmt::format("run: {}  ·  kbx report {} -o report.html", folder, folder));
  if (end.unfinished > 0)
    say(fmt::format("not ended: {} ({}); go on with: kbx run {} --resume --run {}", counted(end.unfinished, "task"), shown(why, 500), o.method, folder));
  else if (nothing_came(end, ledger.total()))
    say(fmt::format("no call had a reply, see above why; once that is put right, ask again with: kbx run {} --resume --run {}", o.method, folder));
}

// One answer a task: nobody learns from its verdict.
std::optional<agent::FeedbackMode> learning(const agent::Method& method) {
  if (method.loop == agent::LoopKind::single_pass && method.single_pass.samples == 1) return std::nullopt;
  return method.feedback;
}

Result<int> tell_estimate(const RunPlan& plan, const MethodSession& session) {
  std::vector<ChatRequest> first;
  for (const Task* t : plan.tasks) {
    KBX_TRY_ASSIGN(auto requests, first_requests(session, plan.method, *t, ""));
    for (auto& r : requests) first.push_back(std::move(r));
  }
  print(estimate_text(plan.method, *plan.models.front(), plan.tasks.size(), first, plan.budget));
  return kEvaluated;
}

Result<int> generate_kernels(const RunOptions& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(suite::Suite suite, open_suite(settings));
  KBX_TRY_ASSIGN(MethodSession session, open_methods(o.files));
  KBX_TRY_ASSIGN(RunPlan plan, plan_run(o, session, suite));
  if (!o.batch.empty()) KBX_TRY(check_batch(o.batch, plan));
  if (o.dry_run) return tell_estimate(plan, session);
  if (!o.batch.empty() && o.batch[0] == "export") return export_batch_files(o.batch[1], plan, session);
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  RunTable table(o.quiet ? RunTable::Mode::silent : stderr_is_terminal() ? RunTable::Mode::live : RunTable::Mode::lines, int64_t(plan.tasks.size()));
  KBX_TRY_ASSIGN(Answerers answerers, open_answerers(o, plan, session, table));
  const std::string folder = o.run.empty() ? default_run_folder() : o.run;
  NewRun fresh(folder);
  KBX_TRY_ASSIGN(store::Store store, store::Store::open(folder));
  KBX_TRY(settle_seed(settings, store, o.resume, config));
  KBX_TRY(settle_identity(store, run_identity(plan, session)));
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.quiet));
  KBX_TRY_ASSIGN(auto cards, CardSession::open(settings, server->facts(), *server, config, o.quiet));
  std::string device = o.batch.empty() ? device_lines(*cards) : "";  // as it was exported
  KBX_TRY(put_run_facts(store, config, server->facts(), plan));
  KBX_TRY_ASSIGN(generate::Journal journal, generate::Journal::open(store));
  generate::Ledger ledger(plan.budget);
  const std::atomic<bool>& interrupted = watch_interrupts();
  generate::Engine engine(*server, config, cards->bench(), learning(plan.method));
  auto make = [&](const Task& task) { return loop_for(session, plan.method, task, device); };
  generate::Scheduler scheduler({answerers.client(), engine, journal, ledger, session.registry, table, interrupted, calls_at_a_time(plan, session.registry), config.jobs,
                                 answerers.cassette.get()}, {plan.tasks, make});
  KBX_TRY_ASSIGN(generate::Ending end, scheduler.run());
  table.clear();
  if (answerers.cassette)
    if (auto broken = answerers.cassette->failure()) return tl::unexpected(*broken);
  tell_end(o, plan, end, ledger, answerers, store.folder().string(), fresh.made_here() && holds_nothing(store));
  bool left = end.unfinished > 0 && !end.out_of_budget;
  return left || nothing_came(end, ledger.total()) ? kHarness : kEvaluated;
}

}  // namespace

std::function<int()> setup_run(CLI::App& app) {
  auto o = std::make_shared<RunOptions>();
  app.add_option("METHOD", o->method, "a method's name (kbx methods), or your own FILE.toml");
  app.add_option("--tasks", o->tasks, "names, categories or globs, comma separated [all]");
  app.add_option("--model", o->model, "the model that every role asks (kbx models) [the method's own]");
  app.add_option("--rounds", o->rounds, "rounds, for methods that have them")->check(CLI::Range(1, 1000));
  app.add_option("--samples", o->samples, "answers a task (single pass), kernels a round, or workers")->check(CLI::Range(1, 1000));
  app.add_option("--budget", o->budget, "usd=5,tokens=2e6,calls=100,per-task=12,wall=3600; never overshot");
  app.add_option("--run", o->run, "folder for the results [runs/<time>]");
  app.add_flag("--resume", o->resume, "go on with a run: no finished call is asked again");
  app.add_option("--feedback", o->feedback, "public_only: methods learn from cases of other sizes and seeds; task_tests: from the very cases that count [the method's own]");
  app.add_option("--cassette", o->cassette, "folder of recorded calls");
  app.add_option("--cassette-mode", o->cassette_mode, "record, replay (a call that is not there is an error), auto, verify [auto]");
  app.add_option("--batch", o->batch, "export FOLDER | import FILE-OR-FOLDER: single-pass methods by the vendor's batch service, or by hand")->expected(2);
  app.add_option("--prompts", o->files.prompts, "a folder of prompts laid over kbx's own");
  app.add_option("--corpus", o->files.corpus, "worked examples: a folder of .py files, or JSONL");
  app.add_flag("--dry-run", o->dry_run, "say how many calls there would be and what they may cost, and leave");
  app.add_flag("--json", o->json, "one JSON object a task on stdout, then a summary");
  app.add_flag("-q,--quiet", o->quiet, "no progress");
  add_settings(app, o->flags, {"python", "suite", "device", "timing", "arch", "jobs", "seed", "lint", "delegation", "replay", "second-look", "jail", "load-seconds", "call-seconds", "job-seconds", "kernel-seconds", "memory-gib"});
  app.footer(kFooter);
  return [o] {
    if (o->method.empty()) return report_error({Code::usage, "which method? kbx run METHOD (kbx methods lists them, kbx run --help shows examples)", {}});
    auto code = generate_kernels(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
