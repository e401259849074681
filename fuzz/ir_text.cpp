// libFuzzer target: any bytes as TTIR text; what compiles is run on little memory with all checks and a small step
// limit.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "ir/machine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto program = kbx::ir::compile({reinterpret_cast<const char*>(data), size});
  if (!program) return 0;
  std::vector<uint8_t> memory(1024, 1), undefined(1024, 0);
  kbx::ir::LaunchSpec spec;
  spec.grid = {2, 1, 1};
  spec.ranges.push_back({memory.data(), memory.size(), undefined.data(), 4, 0});
  for (size_t k = 0; k < program->argument_count(); k++)
    spec.arguments.push_back(program->argument_kind(k) == kbx::ir::Kind::ptr ? reinterpret_cast<uint64_t>(memory.data())
                                                                             : 3);
  spec.checks = {.undefined = true, .races = true, .unique_counts = true, .asserts = true, .alignment = true};
  spec.step_limit = 500;
  spec.time_limit_s = 1;
  if (!kbx::ir::launch(*program, spec)) std::abort();  // this spec always fits
  return 0;
}
