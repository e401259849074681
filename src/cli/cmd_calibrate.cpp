// kbx calibrate: the rates that this machine's card reaches, kept for later times; --aa: does the clock's interval hold
// the truth when a kernel is held against itself?
#include "base/clock.h"
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "report/timing_text.h"
#include "store/machine.h"

namespace kbx::cli {
namespace {

struct Options {
  Flags flags;
  bool json = false, aa = false, keep = true;
  int experiments = 200;
};

// What the gpu room measures: one card, by trusted kernels alone.
Result<Calibration> measure_rates(const Options&) {
  return fail(Code::sandbox, "this build of kbx measures no rates yet");
}
Result<AaResults> measure_aa(const Options&) {
  return fail(Code::sandbox, "this build of kbx runs no A/A experiments yet");
}

Json aa_json(const AaResults& results) {
  Json rows = Json::array();
  for (const AaResult& r : results)
    rows.push_back({{"kernel", r.kernel}, {"size_us", r.size_us}, {"experiments", r.experiments}, {"covered", r.covered}, {"ratio_sd", r.ratio_sd}, {"half_width", r.half_width}});
  return {{"aa", rows}};
}

Result<int> run_aa(const Options& o) {
  KBX_TRY_ASSIGN(AaResults results, measure_aa(o));
  print(o.json ? dump_json(aa_json(results), 2) + "\n" : report::aa_text(results));
  return kEvaluated;
}

Result<int> run_calibrate(const Options& o) {
  if (o.aa) return run_aa(o);
  KBX_TRY_ASSIGN(Calibration calibration, measure_rates(o));
  if (calibration.date.empty()) calibration.date = utc_now();
  auto files = store::MachineFiles::from_environment();
  KBX_TRY_ASSIGN(auto sheet, store::stated_peaks(files, {calibration.gpu, 0, 0}));
  print(o.json ? dump_json(calibration_json(calibration), 2) + "\n" : report::calibration_text(calibration, sheet ? &*sheet : nullptr));
  if (!o.keep) return kEvaluated;
  KBX_TRY_ASSIGN(auto path, store::save_calibration(files, calibration));
  say("kept in " + path.string());
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_calibrate(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_flag("--json", o->json, "the rates as JSON");
  app.add_flag("--aa", o->aa, "hold kernels against themselves, loaded anew each time, and count how often the interval holds 1");
  app.add_option("--experiments", o->experiments, "of each kernel, with --aa [200]")->check(CLI::Range(2, 100000));
  app.add_flag("!--no-keep", o->keep, "only print: later times are not held against it");
  add_settings(app, o->flags, {"python", "device"});
  app.footer("Example:\n  kbx calibrate --device cuda:0\nKept for the board: times measured afterwards are also held against what it reached (docs/efficiency.md).");
  return [o] {
    auto code = run_calibrate(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
