// What one running program (Triton sense) sees, and what all programs of a launch share.
#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

#include "ir/finding_log.h"
#include "ir/machine.h"
#include "ir/program.h"
#include "ir/race.h"

namespace kbx::ir {

struct RunLimits;

// What one instruction of `main` did, over all programs of a thread.
struct Tally {
  uint64_t runs = 0, bytes = 0;
  uint64_t flops = 0;  // of a region that ran lane by lane: beyond runs * Inst::flops
};

// Shared by the threads of one launch; constant while they run except for what is named otherwise.
struct Shared {
  const MachineCode* code = nullptr;
  std::array<int32_t, 3> grid{1, 1, 1};
  std::vector<MemoryRange> ranges;
  Checks checks;
  FindingLog* findings = nullptr;  // takes its own lock
  std::atomic<bool> stop{false};
  const RunLimits* limits = nullptr;  // for instructions that run code of their own
  Accumulation accumulation = Accumulation::forward;
};

// One thread's place to run a program. Offsets of instructions are bytes from `arena`.
struct Context {
  Shared* shared = nullptr;
  RaceShadow* race = nullptr;  // null: neither races nor unique counts are wanted
  uint8_t* arena = nullptr;
  uint8_t* undefined = nullptr;  // a byte a lane, parallel to the arena; null: not followed
  uint8_t* flags = nullptr;      // a byte per 64 arena bytes: some lane of this value is undefined
  std::array<int32_t, 3> pid{0, 0, 0};
  uint32_t program = 0;  // linear index
  uint32_t pc = 0;
  uint64_t steps = 0;                // instructions of this program
  Tally* tally = nullptr;            // one an instruction of `main`; the thread's
  RangeCounts* ranges = nullptr;     // one a range; the thread's
  uint64_t loaded = 0, updated = 0;  // bytes loaded, updated atomically; tells a poll from work
  std::vector<uint8_t> scratch;

  template <class T>
  T* at(uint32_t offset) {
    return reinterpret_cast<T*>(arena + offset);
  }
  bool is_tainted(uint32_t offset) const { return flags[offset >> 6] != 0; }
};

}  // namespace kbx::ir
