// kbx show: one candidate of a stored run in full.
#include "cli/command.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "base/text.h"
#include "base/words.h"
#include "report/terminal.h"
#include "store/record_json.h"
#include "store/store.h"

namespace kbx::cli {
namespace {

struct Options {
  std::string run, candidate;
  bool json = false, source = false, all_cases = false;
};

Result<int> run_show(const Options& o) {
  KBX_TRY_ASSIGN(store::Store store, store::Store::open_for_reading(o.run));
  KBX_TRY_ASSIGN(auto record, store.find(o.candidate));
  if (!record) {
    std::vector<std::string> ids;
    KBX_TRY(store.each([&](const Record& r) {
      ids.push_back(r.candidate);
      return true;
    }));
    return fail(Code::usage, o.run + " has no candidate " + o.candidate + did_you_mean(o.candidate, ids));
  }
  if (o.json) {
    print(dump_json(store::to_json(*record), 2) + "\n");
    return kEvaluated;
  }
  auto stored = store.blob(record->source_hash);
  if (!stored && o.source) return tl::unexpected(stored.error());
  if (!stored) say("kbx: the source cannot be shown: " + stored.error().text());
  std::string source = stored.value_or("");
  print(report::terminal_candidate(*record, source, {"", use_colour(), o.all_cases}));
  if (o.source) print("\n" + (stdout_is_terminal() ? shown(source) : source) + "\n");
  return kEvaluated;
}

}  // namespace

std::function<int()> setup_show(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("RUN", o->run, "the run's folder")->required();
  app.add_option("CANDIDATE", o->candidate, "its id, as in the tables")->required();
  app.add_flag("--json", o->json, "the whole record as JSON");
  app.add_flag("--cases", o->all_cases, "list every case, not only those that are wrong");
  app.add_flag("--source", o->source, "print the code too");
  app.footer("Example:\n  kbx show runs/today replies.jsonl:17 --source");
  return [o] {
    auto code = run_show(*o);
    return code ? *code : report_error(code.error());
  };
}

}  // namespace kbx::cli
