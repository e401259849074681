// kbx calibrate: the rates that this machine's cards reach, kept for later times; --aa: does the clock's interval hold
// the truth when a kernel is held against itself?
#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "cli/card_session.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/home.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "eval/calibrate.h"
#include "eval/self_test.h"
#include "report/timing_text.h"
#include "store/machine.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  std::string output;
  bool json = false, aa = false, keep = true;
  int experiments = 200;
};

Json aa_json(const gpu::Card& card, const AaResults& results) {
  Json rows = Json::array();
  for (const AaResult& r : results)
    rows.push_back({{"kernel", r.kernel}, {"size_us", r.size_us}, {"experiments", r.experiments}, {"covered", r.covered}, {"ratio_sd", r.ratio_sd}, {"half_width", r.half_width},
                    {"groups", r.groups}, {"mean_ratio", r.mean_ratio}, {"more_work", r.more_work}, {"found", r.found}, {"failed", r.failed}, {"problem", r.problem}});
  return {{"gpu", card.name}, {"board", card.uuid}, {"driver", card.driver}, {"aa", rows}};
}

Result<void> write_json(const Options& o, const Json& json) {
  if (o.output.empty()) return {};
  KBX_TRY(write_file(o.output, dump_json(json, 2) + "\n"));
  say("written to " + o.output);
  return {};
}

// On the first card.
Result<int> run_aa(const Options& o, const eval::MeasuringBench& bench) {
  auto slot = bench.cards.enter();
  KBX_TRY_ASSIGN(AaResults results, eval::self_test(bench, slot, o.experiments));
  Json json = aa_json(slot.card(), results);
  print(o.json ? dump_json(json, 2) + "\n" : report::aa_text(results));
  KBX_TRY(write_json(o, json));
  bool any = std::any_of(results.begin(), results.end(), [](const AaResult& r) { return r.experiments > 0; });
  return any ? kEvaluated : kHarness;
}

// Card after card: each must stay entered, so that the next place is on another one.
Result<int> run_rates(const Options& o, const eval::MeasuringBench& bench) {
  auto files = store::MachineFiles::from_environment();
  std::vector<gpu::Cards::Slot> slots;
  Json all = Json::array();
  for (size_t k = 0; k < bench.cards.list().size(); k++) {
    slots.push_back(bench.cards.enter());
    const gpu::Card& card = slots.back().card();
    KBX_TRY_ASSIGN(Calibration c, eval::calibrate(bench, slots.back()));
    slots.back().release();
    auto sheet = store::stated_peaks(files, {card.name, card.sms, card.memory_bytes});
    if (!sheet) say("warning: " + sheet.error().text());
    all.push_back(calibration_json(c));
    if (!o.json) print(report::calibration_text(c, sheet && *sheet ? &**sheet : nullptr));
    if (!o.keep) continue;
    auto path = store::save_calibration(files, c);
    if (path) say("kept in " + path->string());
    else say("warning: not kept: " + path.error().text());
  }
  Json json = all.size() == 1 ? all.front() : all;
  if (o.json) print(dump_json(json, 2) + "\n");
  KBX_TRY(write_json(o, json));
  return kEvaluated;
}

Result<int> run_calibrate(const Options& o) {
  KBX_TRY_ASSIGN(Settings settings, Settings::load(o.flags));
  KBX_TRY_ASSIGN(eval::EvalConfig config, make_config(settings));
  if (!config.card) return fail(Code::usage, "kbx calibrate measures a GPU: there is none here, or device is \"cpu\"");
  KBX_TRY_ASSIGN(Home home, find_home());
  KBX_TRY_ASSIGN(std::string programs, read_file(home.share / "worker" / "measured_programs.py"));
  KBX_TRY_ASSIGN(auto server, start_workers(settings, o.json));
  KBX_TRY_ASSIGN(auto session, CardSession::open(settings, server->facts(), *server, config, o.json));
  if (!session->cards()) return fail(Code::sandbox, "no card can be used");
  eval::MeasuringBench bench{*session->cards(), *server, config, programs, [](const std::string& line) { say(line); }};
  return o.aa ? run_aa(o, bench) : run_rates(o, bench);
}

}  // namespace

std::function<int()> setup_calibrate(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_flag("--json", o->json, "JSON instead of a table");
  app.add_option("-o,--output", o->output, "a file for the same as JSON");
  app.add_flag("--aa", o->aa, "hold kernels against themselves, loaded anew each time, and count how often the interval holds 1; on the first card");
  app.add_option("--experiments", o->experiments, "with --aa, in all [200]")->check(CLI::Range(2, 100000));
  app.add_flag("!--no-keep", o->keep, "only print: later times are not held against it");
  add_settings(app, o->flags, {"python", "device", "jail"});
  app.footer("Examples:\n  kbx calibrate --device cuda:0\n  kbx calibrate --device cuda:0 --aa --experiments 400\nKept for the board: times measured afterwards are also held against what it reached (docs/efficiency.md).");
  return [o] {
    auto code = run_calibrate(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
