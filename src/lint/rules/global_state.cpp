// global_state: settings of the whole process.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"torch.set_default_dtype", Severity::warn, "changes torch's default dtype"},
    NamePattern{"torch.set_default_device", Severity::warn, "changes torch's default device"},
    NamePattern{"torch.set_default_tensor_type", Severity::warn, "changes torch's default dtype"},
    NamePattern{"torch.set_float32_matmul_precision", Severity::warn, "changes the precision of all matrix products"},
    NamePattern{"torch.use_deterministic_algorithms", Severity::warn, "changes torch's algorithms"},
    NamePattern{"torch.set_grad_enabled", Severity::note, "switches gradients"},
    NamePattern{"torch.manual_seed", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.cuda.manual_seed", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.cuda.manual_seed_all", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.seed", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.set_rng_state", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.cuda.set_rng_state", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.random.manual_seed", Severity::warn, "sets the random state of the process"},
    NamePattern{"torch.set_num_threads", Severity::warn, "changes torch's threads"},
    NamePattern{"torch.set_flush_denormal", Severity::warn, "changes the arithmetic of the process"},
    NamePattern{"torch.set_warn_always", Severity::note, "changes torch's warnings"},
    NamePattern{"torch.cuda.set_device", Severity::note, "chooses a device"},
    NamePattern{"torch.cuda.set_per_process_memory_fraction", Severity::warn, "changes the allocator"},
    NamePattern{"torch.cuda.reset_peak_memory_stats", Severity::note, "resets memory statistics"},
    NamePattern{"random.seed", Severity::note, "sets the random state of the process"},
    NamePattern{"numpy.random.seed", Severity::note, "sets the random state of the process"},
    NamePattern{"sys.setrecursionlimit", Severity::warn, "changes the interpreter"},
    NamePattern{"sys.setswitchinterval", Severity::warn, "changes the interpreter"},
    NamePattern{"locale.setlocale", Severity::warn, "changes the locale"},
    NamePattern{"torch.set_printoptions", Severity::note, "changes how tensors are printed"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule global_state = {
    "global_state",
    Severity::warn,
    "calls that change torch's defaults, precision, random state or device for the whole process",
    "they change what other code of the process computes; the judge's own reference runs elsewhere, so they can only "
    "mislead",
    "`torch.random.fork_rng`, `generator.manual_seed(0)`, `torch.get_default_dtype()`; assigning `torch.backends.*` is "
    "reported by `patching` as a warning",
    check};

}  // namespace kbx::lint::rules
