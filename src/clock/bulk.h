// Bulk: filling, copying and checking of many pieces of memory: large ones by the driver, small and ragged ones together
// by one trusted kernel over a table.
#pragma once
#include "clock/device/device_base.h"
#include "clock/kernels.h"
#include "clock/memory.h"
#include "model/device_tape.h"

namespace kbx::clock {

// A table in the card's memory; items are device::Piece or device::Move.
template <class T>
struct Table {
  Buffer buffer;
  uint32_t count = 0;
  const T* at() const { return reinterpret_cast<const T*>(buffer.at()); }
};

class PoisonFill {
 public:
  static Outcome<PoisonFill> make(Card& card, const std::vector<DeviceRange>& pieces);
  Outcome<void> enqueue(const Card& card, const Kernels& kernels) const;

 private:
  std::vector<DeviceRange> large_;  // whole words
  Table<device::Piece> small_;
};

class Moves {
 public:
  static Outcome<Moves> make(Card& card, const std::vector<device::Move>& moves);
  Outcome<void> enqueue(const Card& card, const Kernels& kernels) const;

 private:
  std::vector<device::Move> large_;
  Table<device::Move> small_;
};

// Bytes that must hold poison after a play.
class Guard {
 public:
  static Outcome<Guard> make(Card& card, const std::vector<DeviceRange>& pieces);
  struct Hits {
    uint64_t words = 0, first = 0;  // first: an address; 0 when there are none
  };
  Outcome<Hits> check(const Card& card, const Kernels& kernels) const;

 private:
  Table<device::Piece> pieces_;
  Buffer totals_;
};

}  // namespace kbx::clock
