// syntax_error: what the grammar cannot read. A warning only: Python itself is the arbiter, at import.
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

void check(const Context& context, Report& report) {
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (!source.at(id).error) continue;
    std::string_view kind = source.kind(id);
    std::string message = "this does not read as Python";
    if (kind == "print_statement" || kind == "exec_statement")
      message = "this is Python 2";
    else if (kind != "ERROR")
      message = "something is missing here: " + std::string(kind);
    report.add(id, message);
    id = source.at(id).end - 1;  // the outermost error only
  }
}

}  // namespace

constinit const Rule syntax_error = {
    "syntax_error",
    Severity::warn,
    "text that the grammar cannot read, with its place",
    "Python will most likely refuse it on import; that refusal, not this finding, is the verdict",
    "newer syntax than the grammar knows (the grammar accepts and refuses a little more than Python does)",
    check};

}  // namespace kbx::lint::rules
