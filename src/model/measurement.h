// What was measured about a candidate's kernels: launches on the IR machine and resources from the compiler.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/gpu_spec.h"

namespace kbx {

// What one source line of a kernel did, over all programs of a launch.
struct LaunchLine {
  int line = 0;  // 1-based line of the candidate's code; 0 = unknown
  int64_t load_bytes = 0, store_bytes = 0, atomic_bytes = 0, flops = 0, instructions = 0;
};

// What happened to the storage behind one pointer argument of a launch.
struct LaunchTensor {
  std::string argument;  // the kernel's parameter
  std::string tensor;    // what it is to the call: an input ("input", "params[0]"), "result", "result[1]"; "" = neither
  int64_t storage = -1;  // the same number: the same storage, over all launches of a call; -1 = unknown
  int64_t bytes = 0;     // of the storage
  int64_t load_bytes = 0, store_bytes = 0, atomic_bytes = 0;
  int64_t unique_load_bytes = 0, unique_store_bytes = 0;  // distinct bytes; an atomic update is a store
};

// One kernel launch, as the worker claims it. Bytes are those of executed accesses (masked lanes access nothing); flops
// are executed lanes, masked ones included, an exp is one. Records of an older kbx have nothing behind reaches_output.
struct Launch {
  std::string kernel;
  int64_t grid[3] = {1, 1, 1};
  double seconds = 0;
  int64_t load_bytes = 0, store_bytes = 0, flops = 0;
  bool reaches_output = false;
  int64_t atomic_bytes = 0, instructions = 0;
  int64_t unique_load_bytes = 0, unique_store_bytes = 0;  // distinct bytes over all storages
  std::map<std::string, int64_t> flops_by;                // "f32", "dot_f16" (tensor cores), ...; their sum is flops
  std::vector<LaunchLine> lines;                          // the heaviest, by bytes and flops
  std::vector<LaunchTensor> tensors;                      // in the order of the arguments
};
// The part of a launch that bounds its time: distinct bytes, and flops under the unit that is fastest at them. Kinds of
// flops that are not known are left out.
Work work_of(const Launch& launch);

// What a call must at least move and compute by its task's [cost] formulas.
struct CallCost {
  std::string case_name;
  double bytes = 0, flops = 0;
  std::string unit;  // whose peak the flops are held against: Unit's text
};
Work work_of(const CallCost& cost);

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
