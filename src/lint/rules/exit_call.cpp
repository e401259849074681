// exit_call: leaving early is no success.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    {"sys.exit", Severity::warn, "ends the process"},
    {"builtins.exit", Severity::warn, "ends the process"},
    {"builtins.quit", Severity::warn, "ends the process"},
    {"os._exit", Severity::reject, "ends the process behind Python's back"},
    {"os.abort", Severity::reject, "ends the process behind Python's back"},
    {"os.kill", Severity::reject, "sends a signal"},
    {"os.killpg", Severity::reject, "sends a signal"},
    {"atexit", Severity::reject, "runs code after the judged call"},
    {"signal", Severity::reject, "changes or sends signals"},
    {"weakref.finalize", Severity::warn, "runs code after the judged call"},
    {"faulthandler", Severity::warn, "changes what happens on a crash"},
};

void check(const Context& context, Report& report) {
  check_names(context, report, kNames);
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (source.kind(id) != "raise_statement" || source.first(id) == kNoNode) continue;
    NodeId what = source.first(id);
    if (source.kind(what) == "call") what = source.child(what, "function");
    if (what != kNoNode &&
        (context.names.is(what, "builtins.SystemExit") || context.names.is(what, "builtins.KeyboardInterrupt")))
      report.add(id, "raising " + std::string(source.text(what)) + " ends the process", Severity::warn);
  }
}

}  // namespace

constinit const Rule exit_call = {
    "exit_call",
    Severity::reject,
    "`os._exit`, `os.abort`, `os.kill`, `atexit`, `signal`; `sys.exit`, `exit`, `quit` and raising SystemExit as "
    "warnings",
    "an exit code of 0 must not pass for an answer; the judge treats every exit as a failure",
    "`sys.exit()` under the main guard, `except SystemExit`, `torch.signal`, methods named `exit`",
    check};

}  // namespace kbx::lint::rules
