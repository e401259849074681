// native_access: no native memory behind Python's back.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"ctypes", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"cffi", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"mmap", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"_ctypes_test", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"_xxsubinterpreters", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch._C._cuda_cudaCachingAllocator_raw_alloc", Severity::reject,
                "reaches native memory or libraries"},
    NamePattern{"torch._C._cuda_customAllocator", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"numpy.ctypeslib", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"numpy.core.multiarray.int_asbuffer", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch.cuda.cudart", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch.cuda.memory.CUDAPluggableAllocator", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch.cuda.CUDAPluggableAllocator", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch.cuda.memory.change_current_allocator", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"torch.cuda.change_current_allocator", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"distutils", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"setuptools", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"sysconfig", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"pynvml", Severity::reject, "reaches native memory or libraries"},
    NamePattern{"numpy.lib.stride_tricks", Severity::warn, "makes views outside an array's bounds possible"},
    NamePattern{"torch._C", Severity::warn, "uses torch's private bindings"},
    NamePattern{"torch._C._VariableFunctions", std::nullopt, ""},
    NamePattern{"torch._C._nn", std::nullopt, ""},
    NamePattern{"torch._C._cuda_getCurrentRawStream", std::nullopt, ""},
    NamePattern{"torch._C._log_api_usage_once", std::nullopt, ""},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule native_access = {
    "native_access",
    Severity::reject,
    "`ctypes`, `cffi`, `mmap`, `torch.cuda.cudart`, pluggable allocators; other private bindings of torch (`torch._C`) "
    "as a warning",
    "native access can read the judge's secrets, patch the clock or the driver, and forge results",
    "`x.data_ptr()` for an alignment test, `torch.from_dlpack`, a variable named `ctypes_like`",
    check};

}  // namespace kbx::lint::rules
