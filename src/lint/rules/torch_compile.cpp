// torch_compile: torch's own compilers must not write the kernels.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"torch.compile", Severity::reject, "compiles with torch's compiler instead of the candidate's kernels"},
    NamePattern{"torch._dynamo", Severity::reject, "compiles with torch's compiler instead of the candidate's kernels"},
    NamePattern{"torch._inductor", Severity::reject,
                "compiles with torch's compiler instead of the candidate's kernels"},
    NamePattern{"torch._dynamo.disable", std::nullopt, ""},
    NamePattern{"torch._dynamo.config", Severity::warn, "sets torch's compiler"},
    NamePattern{"torch._dynamo.graph_break", std::nullopt, ""},
    NamePattern{"torch.compiler.compile", Severity::reject,
                "compiles with torch's compiler instead of the candidate's kernels"},
    NamePattern{"torch.export", Severity::warn, "exports a graph for another compiler"},
    NamePattern{"torch.jit.script", Severity::warn, "compiles with TorchScript, which may generate kernels of its own"},
    NamePattern{"torch.jit.trace", Severity::warn, "compiles with TorchScript, which may generate kernels of its own"},
    NamePattern{"torch.jit.freeze", Severity::warn, "compiles with TorchScript, which may generate kernels of its own"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule torch_compile = {
    "torch_compile",
    Severity::reject,
    "`torch.compile` and its parts (`torch._dynamo`, `torch._inductor`), under any alias; TorchScript as a warning",
    "the kernels would be written by torch's compiler, not by the candidate",
    "`self.compile()`, `re.compile`, `torch.compiler.disable`, a variable named `compile`",
    check};

}  // namespace kbx::lint::rules
