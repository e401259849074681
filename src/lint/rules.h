// The list of rules: one line each, in the order of docs/lint.md. The rule itself is rules/<id>.cpp.
#pragma once
#include "lint/rule.h"

#define LINT_RULES(X)      \
  X(unreadable_source)     \
  X(syntax_error)          \
  X(entry_missing)         \
  X(no_triton_kernel)      \
  X(unreachable_kernel)    \
  X(quantization_api)      \
  X(forbidden_call)        \
  X(torch_compile)         \
  X(inline_cuda)           \
  X(foreign_kernels)       \
  X(patching)              \
  X(exec_eval)             \
  X(dynamic_attribute)     \
  X(import_machinery)      \
  X(introspection)         \
  X(dunder_escape)         \
  X(native_access)         \
  X(process_use)           \
  X(network)               \
  X(file_access)           \
  X(environment_tampering) \
  X(exit_call)             \
  X(thread_use)            \
  X(clock_access)          \
  X(memory_replay)         \
  X(data_ptr_keyed_cache)  \
  X(global_tensor_cache)   \
  X(subclassed_tensor)     \
  X(global_state)          \
  X(stream_escape)         \
  X(silent_fallback)

namespace kbx::lint::rules {
#define LINT_DECLARE(id) extern const Rule id;
LINT_RULES(LINT_DECLARE)
#undef LINT_DECLARE
}  // namespace kbx::lint::rules
