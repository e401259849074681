// unreadable_source: text that is too large, or too costly to parse.
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

void check(const Context& context, Report& report) {
  if (context.source.readable()) return;
  bool large = context.source.text().size() > kMaxSourceBytes;
  report.add(kNoNode, large ? "the source is larger than 1 MiB and is not judged"
                            : "the source takes too much work to parse and is not judged");
}

}  // namespace

constinit const Rule unreadable_source = {"unreadable_source",
                                          Severity::reject,
                                          "source of more than 1 MiB, or text built to make a parser work forever",
                                          "what cannot be read cannot be checked",
                                          "any program that a person or a model writes (the longest seen has 40 KB)",
                                          check};

}  // namespace kbx::lint::rules
