// Heap: places of allocations inside one range of addresses; it knows no memory. Best fit, 512-byte alignment, and
// 512 bytes of nobody's after each, where writes past an end are seen.
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace kbx::probe {

inline constexpr uint64_t kHeapAlign = 512, kRedzone = 512;

struct Block {
  uint64_t at = 0, bytes = 0;  // as asked for
  uint64_t room = 0;           // with padding and redzone
  uint64_t serial = 0;         // counts allocations: the same place given twice has two serials
};

class Heap {
 public:
  Heap(uint64_t first, uint64_t end) : first_(first), end_(end), top_(first) {}

  // Nothing when the addresses are used up. A block above top() moves top(): the caller sees that memory is there.
  std::optional<Block> take(uint64_t bytes, uint64_t serial);
  bool give_back(uint64_t at);
  // The live block whose asked-for bytes hold the address (an empty block: its first address).
  const Block* find(uint64_t address) const;
  bool holds(uint64_t address) const { return address >= first_ && address < end_; }

  uint64_t first() const { return first_; }
  uint64_t top() const { return top_; }  // end of the highest block that is live or in the free list
  const std::map<uint64_t, Block>& live() const { return live_; }
  void trim();  // free room at the end is no longer counted

 private:
  uint64_t first_, end_, top_;
  std::map<uint64_t, uint64_t> free_;  // at -> bytes
  std::map<uint64_t, Block> live_;
};

}  // namespace kbx::probe
