// What was measured about a candidate's kernels: launches on the IR machine and resources from the compiler.
#pragma once
#include <cstdint>
#include <string>

namespace kbx {

// One kernel launch, as the worker claims it.
struct Launch {
  std::string kernel;
  int64_t grid[3] = {1, 1, 1};
  double seconds = 0;
  int64_t load_bytes = 0, store_bytes = 0, flops = 0;
  bool reaches_output = false;
};

// One kernel compiled for one architecture (without a GPU). Registers, stack, spills, shared: per thread, bytes per thread,
// bytes per thread, bytes per block.
struct Compiled {
  std::string kernel;
  int arch = 0;  // 90 for sm_90
  bool ok = false;
  int registers = 0, stack = 0, spill_stores = 0, spill_loads = 0, shared = 0, num_warps = 0, num_stages = 0;
  double seconds = 0;
  std::string error;
};

}  // namespace kbx
