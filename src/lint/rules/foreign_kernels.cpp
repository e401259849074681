// foreign_kernels: libraries that bring kernels of their own.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"flash_attn", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"flash_attn_interface", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"flashinfer", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"xformers", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"apex", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"transformer_engine", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"liger_kernel", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"fla", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"vllm", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"sglang", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"deepspeed", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"unsloth", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"torch_scatter", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"torch_sparse", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"spconv", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"causal_conv1d", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"mamba_ssm", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"deep_gemm", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"gemlite", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"attorch", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"flag_gems", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"kernels", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"cudnn", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"thop", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"triton.ops", Severity::warn, "is Triton's collection of finished kernels"},
    NamePattern{"triton_kernels", Severity::warn, "would let kernels of another library do the work"},
    NamePattern{"tensorflow", Severity::warn, "would let another framework do the work"},
    NamePattern{"jax", Severity::warn, "would let another framework do the work"},
    NamePattern{"paddle", Severity::warn, "would let another framework do the work"},
    NamePattern{"mxnet", Severity::warn, "would let another framework do the work"},
    NamePattern{"oneflow", Severity::warn, "would let another framework do the work"},
    NamePattern{"onnxruntime", Severity::warn, "would let another framework do the work"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule foreign_kernels = {
    "foreign_kernels",
    Severity::warn,
    "imports of kernel libraries: flash_attn, xformers, apex, Transformer Engine, flashinfer, Liger, fla, vllm ..., "
    "and of other frameworks",
    "the work should be done by the candidate's own kernels; which kernels did run is decided when they run",
    "`import numpy`, `import math`, a function of one's own named `flash_attn`",
    check};

}  // namespace kbx::lint::rules
