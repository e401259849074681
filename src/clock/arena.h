// Arena: the memory of one tape at the addresses it was recorded at, in several physical copies that take turns: where
// memory lies physically moves times by up to 5 %, so no single placement may decide (docs/clock.md).
#pragma once
#include "clock/memory.h"

namespace kbx::clock {

class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept;
  ~Arena();
  // One copy, mapped. Fault: address, memory.
  static Outcome<Arena> make(Card& card, uint64_t base, uint64_t bytes);

  uint64_t base() const { return base_; }
  uint64_t bytes() const { return bytes_; }  // rounded up to kGranule
  size_t copies() const { return copies_.size(); }
  Outcome<void> add_copy();
  // Maps this copy at the same addresses; its content is whatever was there. The stream must be idle.
  Outcome<void> place(size_t copy);

 private:
  Card* card_ = nullptr;
  Reservation place_;
  std::vector<Physical> copies_;
  size_t placed_ = 0;
  bool mapped_ = false;
  uint64_t base_ = 0, bytes_ = 0;
};

// How many copies each of two arenas should come to have, in bytes of them and of what is free (one of each is there
// already): half of what is free, 3 to 48 copies, fewer where even three would not fit.
size_t copies_wanted(uint64_t first_bytes, uint64_t second_bytes, uint64_t free_bytes);

}  // namespace kbx::clock
