// entry_missing: the judge must find the function that it calls.
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

void check(const Context& context, Report& report) {
  std::vector<std::string> entries = context.entries();
  if (entries.empty() || context.reach.has_entry() || !context.source.readable()) return;
  std::string message = "the module defines no `" + entries[0] + "`";
  for (size_t i = 1; i < entries.size(); i++) message += " and no `" + entries[i] + "`";
  // Names can arrive in ways that the text does not show.
  bool certain = !context.source.has_errors() && context.scopes.star_imports().empty() && !context.reach.dynamic();
  report.add(kNoNode, message, certain ? Severity::reject : Severity::warn);
}

}  // namespace

constinit const Rule entry_missing = {
    "entry_missing",
    Severity::reject,
    "no function, class, import or assignment at module level has the task's entry name or an accepted one",
    "there is nothing to call",
    "an entry made by assignment, import or under `if`; with `from x import *`, `globals()` or syntax errors it is a "
    "warning",
    check};

}  // namespace kbx::lint::rules
