// KernelProfile: what ncu counted of one launch, and a candidate's launches at one size together.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kbx {

struct KernelProfile {
  std::string kernel, grid, block;                   // as ncu writes them
  std::optional<double> us;                          // duration under the profiler: caches flushed before, no time to report
  std::optional<double> read_bytes, written_bytes;   // of DRAM
  std::optional<double> l2_hits, sm, tensor, occupancy;  // percent: sectors, SM throughput, tensor pipe, achieved warps
  std::optional<int> registers;                      // a thread
};

struct CandidateProfile {
  std::string candidate, task, size, gpu, tool;      // tool: "ncu 2025.3.1"
  std::vector<KernelProfile> kernels;                // in order of their launches
  double formula_bytes = 0;                          // that the task must move at this size; 0 = the task has no formula
  std::vector<std::string> notes;

  // DRAM bytes of all kernels; nullopt when one was not counted.
  std::optional<double> dram_bytes() const {
    double sum = 0;
    for (const KernelProfile& k : kernels) {
      if (!k.read_bytes || !k.written_bytes) return std::nullopt;
      sum += *k.read_bytes + *k.written_bytes;
    }
    return kernels.empty() ? std::nullopt : std::optional<double>(sum);
  }
};

}  // namespace kbx
