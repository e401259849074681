// clock_access: clocks and benchmarks inside the judged code.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"time", Severity::warn, "gives access to the clock"},
    NamePattern{"time.*", Severity::warn, "reads the clock or waits"},
    NamePattern{"time.struct_time", std::nullopt, ""},
    NamePattern{"datetime.datetime.now", Severity::warn, "reads the clock"},
    NamePattern{"datetime.datetime.utcnow", Severity::warn, "reads the clock"},
    NamePattern{"datetime.datetime.today", Severity::warn, "reads the clock"},
    NamePattern{"timeit", Severity::warn, "measures time"},
    NamePattern{"torch.cuda.Event", Severity::warn, "measures time"},
    NamePattern{"torch.Event", Severity::warn, "measures time"},
    NamePattern{"torch.cuda.synchronize", std::nullopt, ""},
    NamePattern{"torch.utils.benchmark", Severity::warn, "measures time"},
    NamePattern{"triton.testing.do_bench", Severity::warn, "measures time"},
    NamePattern{"triton.testing.do_bench_cudagraph", Severity::warn, "measures time"},
    NamePattern{"torch.profiler", Severity::warn, "observes what is being run"},
    NamePattern{"torch.autograd.profiler", Severity::warn, "observes what is being run"},
    NamePattern{"torch.autograd.profiler.record_function", std::nullopt, ""},
    NamePattern{"torch.profiler.record_function", std::nullopt, ""},
    NamePattern{"cProfile", Severity::warn, "observes what is being run"},
    NamePattern{"triton.profiler", Severity::warn, "observes what is being run"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule clock_access = {
    "clock_access",
    Severity::warn,
    "`time`, `datetime.now`, CUDA events, `triton.testing.do_bench`, profilers",
    "a kernel has no use for the time of day; code that knows it is being timed can behave accordingly",
    "`triton.autotune` (it times by itself), a variable named `time`, timing code that only the main guard calls",
    check};

}  // namespace kbx::lint::rules
