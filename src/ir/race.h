// Who touched what: one 4-byte cell per element of every range, one set of cells a thread, joined after the launch.
//
// A cell holds which kinds of access it saw (plain read, plain write, atomic) and by which program, or that there
// were several programs. Two programs may both read, or both update atomically; any other pair is a race. Since a cell
// that saw a conflict is marked at once, "several" always means several of one harmless kind, so nothing is lost.
// The order in which programs ran plays no part. Stores that change nothing are not writes (the caller masks them).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/finding_log.h"

namespace kbx::ir {

enum class Access : uint32_t { read = 1, write = 2, atomic = 4 };

class RaceShadow {
 public:
  RaceShadow(const std::vector<MemoryRange>& ranges, const Checks& checks, bool byte_cells, FindingLog& log);
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;  // owns mapped memory
  RaceShadow& operator=(const RaceShadow&) = delete;

  bool ok() const { return ok_; }  // false: the memory for the cells was refused

  struct Touch {
    int range = 0;
    uint64_t offset = 0, bytes = 0;  // within the range
    uint32_t program = 0, place = 0;
    int64_t element = -1;  // lane of the first byte
    uint32_t element_bytes = 1;
    const uint8_t* fresh = nullptr;  // a store's new bytes: only cells that they change are written
  };
  void touch(Access access, const Touch& t);

  // After the threads ended: races between programs of different threads, and unique bytes into counts.
  static void join(std::span<RaceShadow* const> threads, const LaunchSpec& spec, FindingLog& log, Counts& counts);

 private:
  static constexpr uint64_t kPageCells = 4096;
  struct Page {
    uint32_t place[3] = {kNoPlace, kNoPlace, kNoPlace};  // the last read, write, atomic that touched it
    bool touched = false;
  };
  struct Cells {
    uint32_t* cell = nullptr;
    uint64_t count = 0, mapped_bytes = 0;
    uint32_t granule = 4;
    std::vector<Page> pages;
  };
  void sweep(Access access, const Touch& t, uint64_t first, uint32_t n, const uint32_t* mask);
  void conflict(Access access, const Touch& t, uint64_t cell, const Page& page, uint32_t state);
  static void count_page(const Cells& cells, uint64_t begin, uint64_t end, Counts& counts);
  static void join_page(std::span<RaceShadow* const> threads, size_t range, size_t page, FindingLog& log,
                        Counts& counts);

  std::vector<Cells> ranges_;
  Checks checks_;
  const std::vector<MemoryRange>& memory_;
  FindingLog& log_;
  bool ok_ = true;
};

}  // namespace kbx::ir
