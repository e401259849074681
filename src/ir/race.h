// Who touched what: the state of every element of every range (race_page.h), one set a thread, joined after the launch.
// The order in which programs ran plays no part. Stores that change nothing are no accesses: they are only counted.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/finding_log.h"
#include "ir/race_page.h"

namespace kbx::ir {

enum class Access : uint32_t { read = kRead, write = kWrite, atomic = kAtomic };

class RaceShadow {
 public:
  RaceShadow(const std::vector<MemoryRange>& ranges, const Checks& checks, bool byte_cells, FindingLog& log);

  bool ok() const { return ok_; }  // false: the memory for the cells was refused; races may have been missed

  struct Touch {
    int range = 0;
    uint64_t offset = 0, bytes = 0;  // within the range
    uint32_t program = 0, place = 0;
    int64_t element = -1;  // lane of the first byte
    uint32_t element_bytes = 1;
    const uint8_t* fresh =
        nullptr;  // a store's new bytes, before memory has them: only cells that they change are written
  };
  void touch(Access access, const Touch& t);

  // After the threads ended: races between programs of different threads, and unique bytes into report.ranges, counts.
  static void join(std::span<RaceShadow* const> threads, const LaunchSpec& spec, FindingLog& log, Report& report);

 private:
  struct Free {
    void operator()(RacePage* p) const;
  };
  struct Cells {
    std::unique_ptr<RacePage, Free> pages;
    uint64_t count = 0, page_count = 0;
    uint32_t granule = 4;
  };
  struct Piece;  // the part of a touch that lies in one page
  void touch_piece(uint32_t access, const Touch& t, const Piece& p);
  void touch_cells(uint32_t access, const Touch& t, const Piece& p, const uint8_t* changed);
  void conflict(uint32_t access, const Touch& t, const Piece& p, uint32_t cell, uint32_t state);
  // How many cells of the piece the store changes; `changed` says which, if not all or none.
  uint32_t count_changed(const Touch& t, const Piece& p, uint8_t* changed) const;
  static void join_page(std::span<RaceShadow* const> threads, size_t range, size_t page, FindingLog& log,
                        RangeCounts& counts);

  std::vector<Cells> ranges_;
  CellPool pool_;
  Checks checks_;
  const std::vector<MemoryRange>& memory_;
  FindingLog& log_;
  bool ok_ = true;
};

}  // namespace kbx::ir
