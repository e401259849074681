// Resources: what the compiler says of kernels on architectures that need not be here, over very many candidates: counts
// by architecture, and the kernels that can be launched on one and not on another.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/measurement.h"
#include "store/job_row.h"

namespace kbx::report {

// What one block may use and one multiprocessor holds. Source: CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability" (registers: 64 K of 32 bits, allocated to a warp in units of 256; warps of 32 threads).
struct ArchLimits {
  int arch = 0;
  int64_t shared_per_block = 0, shared_per_sm = 0;  // bytes; each block also takes shared_reserved of its SM's
  int64_t shared_reserved = 0;
  int warps_per_sm = 0, blocks_per_sm = 0;
};
const ArchLimits* limits_of(int arch);  // nullptr: not in the table
// Warps that can be resident at once on a multiprocessor, as a share of the most it holds; 0 = the kernel cannot be launched.
// Theoretical: by registers, shared memory, warps and blocks alone.
double theoretical_occupancy(const Compiled& kernel, const ArchLimits& limits);

struct ArchCounts {
  int64_t kernels = 0, compiled = 0;  // of kernels, all specialisations together
  int64_t spilling = 0;               // compiled, with spills to local memory
  int64_t too_much_shared = 0;        // compiled, with more shared memory a block than the device has
  std::vector<float> registers, occupancy;  // of kernels that compiled: the largest specialisation; that can be launched: the smallest
};

// One kernel of one candidate that can be launched on some architectures and not on others.
struct Unportable {
  std::string source, candidate, kernel;
  std::vector<int> runs, fails;
  std::string why;   // of the first that fails: "sm_89: 147456 bytes of shared memory a block, the device has 101376"
  int line = 0;      // of the candidate's code; 0 = not known
};

struct Resources {
  std::map<int, ArchCounts> archs;
  std::vector<Unportable> unportable;  // the first kMost
  int64_t unportable_count = 0, kernels = 0;
  static constexpr size_t kMost = 200;

  void add(const store::JobRow& row, const store::RecordParts& parts, const std::string& source);
};

}  // namespace kbx::report
