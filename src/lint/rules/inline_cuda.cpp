// inline_cuda: device code in other languages than Triton.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"torch.utils.cpp_extension", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"torch.cuda._compile_kernel", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"torch.cuda.jiterator", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"torch.ops.load_library", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"torch.classes.load_library", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"cupy", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"numba", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"pycuda", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"pyopencl", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"cuda", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"cutlass", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"nvrtc", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"tilelang", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"taichi", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"warp", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"tvm", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"cppyy", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"pybind11", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"cython", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"pyximport", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"weave", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"hip", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"mojo", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"helion", Severity::reject, "builds or loads device code that is not Triton"},
    NamePattern{"thunderkittens", Severity::reject, "builds or loads device code that is not Triton"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule inline_cuda = {
    "inline_cuda",
    Severity::reject,
    "CUDA, C++ or another kernel language built from the candidate: `load_inline`, `cpp_extension`, CuPy, Numba, "
    "PyCUDA, NVRTC, CuTe, `torch.cuda._compile_kernel`, jiterator",
    "the task asks for Triton kernels, and compiled host code could do anything to the process",
    "`tl.inline_asm_elementwise` (Triton's own), the word `load_inline` in a comment, `import numpy`",
    check};

}  // namespace kbx::lint::rules
