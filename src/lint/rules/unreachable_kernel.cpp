// unreachable_kernel: kernels that are there for show.
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

void check(const Context& context, Report& report) {
  const Reach& reach = context.reach;
  if (!reach.has_entry() || reach.kernels().empty()) return;
  bool registered = false;
  for (const Kernel& k : reach.kernels()) {
    if (reach.from_entry(k)) return;
    registered |= reach.from_anywhere(k);
  }
  bool certain = !registered && !reach.dynamic() && !context.source.has_errors();
  size_t count = reach.kernels().size();
  std::string who = count == 1 ? "the kernel `" + std::string(reach.kernels()[0].name) + "` is not reachable"
                               : "none of the " + std::to_string(count) + " kernels is reachable";
  who += certain ? " from the entry or from code that runs on import" : " from the entry, as far as the text shows";
  report.add(kNoNode, who, certain ? Severity::reject : Severity::warn);
}

}  // namespace

constinit const Rule unreachable_kernel = {
    "unreachable_kernel",
    Severity::reject,
    "kernels are defined, but no mention leads from the entry to any of them",
    "a kernel that never runs is a decoy in front of library calls",
    "kernels reached through tables of functions, `functools.partial`, lambdas, classes, `autograd.Function.apply`; "
    "kernels that are only mentioned by code that runs on import, and dynamic lookups, give a warning",
    check};

}  // namespace kbx::lint::rules
