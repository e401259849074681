// Storages: numbers for arena bytes until liveness.cpp gives them offsets; and the limits of one kernel.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ir/kind.h"

namespace kbx::ir {

inline constexpr size_t kMaxMoves = 1024;  // values carried by one loop, branch or call
inline constexpr size_t kMaxLoops = 1024;
inline constexpr size_t kMaxBody = 20'000;  // instructions of one region, functions called in it included
inline constexpr uint64_t kMaxArenaBytes = 256u << 20;
inline constexpr uint64_t kMaxTableBytes = 256u << 20;  // constants and lane tables of one kernel

struct Storage {
  uint64_t bytes = 0;
  int64_t first = -1, last = -1;  // instructions of `main` that touch it
  bool fixed = false;             // lives as long as the arena
  uint32_t offset = 0;
};

// Where a value is kept, and as what.
struct Slot {
  uint32_t storage = 0;
  Kind kind = Kind::other;
  uint32_t lanes = 1;
};

struct Loop {
  uint32_t begin = 0, end = 0;  // instructions, inclusive
};

}  // namespace kbx::ir
