// What happened to 1024 neighbouring cells of a range, as one thread saw it.
//
// Most pages are touched in a few long runs by one program each: a page starts as a short list of segments of equal
// state, and costs no memory for cells. Where that does not do (short runs, single lanes) it becomes one 4-byte state a
// cell, once and for the rest of the launch.
//
// State: bits 0-2 accesses seen, 3 a race was told, 4 loaded, 5 stored, 6.. program + 1 (0 with accesses seen = several
// programs). Two programs may both read, or both update atomically; any other pair is a race. Since a cell that saw a
// conflict is marked at once, "several" always means several of one harmless kind, so nothing is lost.
// Program numbers are kept modulo 2^26 - 1: with more programs than that two of them can look like one, and a race
// between exactly those is missed.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/finding_log.h"

namespace kbx::ir {

inline constexpr uint32_t kRead = 1, kWrite = 2, kAtomic = 4, kSeen = 7;
inline constexpr uint32_t kTold = 8, kLoaded = 16, kStored = 32, kFlags = 63, kOwnerShift = 6;
inline constexpr uint32_t kPageCells = 1024;

inline uint32_t owner_of(uint32_t program) { return (program % ((1u << 26) - 1) + 1) << kOwnerShift; }
// What another program must have done for this access to be a race.
inline uint32_t clashing(uint32_t access) {
  return access == kWrite ? kRead | kWrite | kAtomic : access == kRead ? kWrite | kAtomic : kRead | kWrite;
}
inline bool clashes(uint32_t state, uint32_t owner, uint32_t clash) {
  return !(state & kTold) && (state & ~kFlags) != owner && (state & clash);
}
// access = 0: only counted.
inline uint32_t after(uint32_t state, uint32_t owner, uint32_t access, uint32_t count) {
  if (access == 0) return state | count;
  uint32_t before = state & ~kFlags;
  return (state & kFlags) | access | count | ((state & kSeen) == 0 || before == owner ? owner : 0);
}

// Cells for pages that need them; they live as long as the pool.
class CellPool {
 public:
  uint32_t* take();  // kPageCells zeros; null: no memory

 private:
  static constexpr size_t kBlock = 64;  // pages
  struct Free {
    void operator()(uint32_t* p) const;
  };
  std::vector<std::unique_ptr<uint32_t, Free>> blocks_;
  size_t left_ = 0;
};

// Plain data that is valid as zeros: pages come from calloc, and most are never touched.
struct RacePage {
  struct Segment {
    uint16_t begin, end;
    uint32_t state;
  };
  // Which operation did it, and between which cells; the latest first.
  struct Source {
    uint32_t place;  // + 1; 0 = none
    uint16_t low, high;
  };
  static constexpr uint32_t kSegments = 8;

  Segment segment[kSegments];
  uint32_t* cell;  // not null: the segments mean nothing
  Source source[3][2];
  uint8_t segments;
  bool touched;

  // All of [begin, end) by one access (0: none, only counted). False: some cell clashes; nothing was changed.
  bool touch(uint32_t begin, uint32_t end, uint32_t owner, uint32_t access, uint32_t count, CellPool& pool, bool& ok);
  // The cells themselves; null: no memory.
  uint32_t* dense(CellPool& pool);
  void read(uint32_t* states) const;  // kPageCells of them
  void note(uint32_t access, uint32_t place, uint32_t begin, uint32_t end);
  uint32_t place_of(uint32_t access, uint32_t cell_index) const;  // kNoPlace: unknown
  // Cells that were loaded and stored.
  void count(uint64_t& loaded, uint64_t& stored) const;
};

}  // namespace kbx::ir
