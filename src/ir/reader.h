// Text of a module in MLIR's generic form -> Module.
#pragma once
#include <string_view>

#include "base/result.h"
#include "ir/module.h"

namespace kbx::ir {

struct ReaderLimits {
  size_t text_bytes = 8u << 20;
  size_t ops = 100'000;
  size_t values = 400'000;
  size_t types = 20'000;
  int region_depth = 48;
};

// The text may be hostile: time and memory are linear in its length, and bounded by the limits.
// Error: Code::usage, "malformed: line N: why".
Result<Module> read_module(std::string_view text, const ReaderLimits& limits = {});

}  // namespace kbx::ir
