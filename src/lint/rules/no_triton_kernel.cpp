// no_triton_kernel: a candidate without any kernel of its own.
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

// triton.jit is mentioned in a way that is no decorator: a kernel may be made where the text does not show it.
bool mentions_jit(const Context& context) {
  for (const Reference& r : context.references)
    for (const std::string& name : r.names)
      if (name == "triton.jit" || name == "triton.*" || name == "triton.experimental.gluon.jit") return true;
  return false;
}

void check(const Context& context, Report& report) {
  if (!context.source.readable() || !context.reach.kernels().empty()) return;
  bool certain = !context.source.has_errors() && !context.reach.dynamic() && !mentions_jit(context);
  report.add(kNoNode, "there is no Triton kernel: no function is decorated with @triton.jit",
             certain ? Severity::reject : Severity::warn);
}

}  // namespace

constinit const Rule no_triton_kernel = {
    "no_triton_kernel",
    Severity::reject,
    "no function with `@triton.jit`, `@triton.autotune` or `@triton.heuristics`, and no call of `triton.jit`",
    "the task is to write a Triton kernel; without one a library does the work",
    "`from triton import jit`, `k = triton.jit(f)`, a kernel made inside a function; with syntax errors or dynamic "
    "code it is a warning",
    check};

}  // namespace kbx::lint::rules
