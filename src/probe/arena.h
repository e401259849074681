// Arena: device memory at known addresses behind torch's pluggable allocator. One range is reserved at a fixed base;
// memory is mapped into it from the front of two heaps as it is needed: the candidate's, and in the last eighth
// the recorder's own (pristine copies of inputs), so that those do not make the tape's arena larger.
#pragma once
#include <string>
#include <vector>

#include "probe/heap.h"

namespace kbx::probe {

// What the arena needs of a device. Each returns "" or one sentence.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual std::string reserve(uint64_t base, uint64_t bytes) = 0;  // exactly there, or an error
  virtual std::string map(uint64_t at, uint64_t bytes) = 0;
  virtual void unmap(uint64_t at, uint64_t bytes) = 0;
};

class Arena {
 public:
  // base as model/device_tape.h says. Nothing is reserved before the first allocation.
  Arena(Memory& memory, uint64_t base);

  // The address, or 0: error() says why.
  uint64_t allocate(uint64_t bytes);
  bool free(uint64_t at);
  void scratch(bool on) { scratch_ = on; }  // allocations from now on are the recorder's own

  uint64_t base() const { return base_; }
  uint64_t mapped() const;  // bytes, of both heaps
  uint64_t next_serial() const { return serial_; }
  const Heap& heap() const { return parts_[0].heap; }  // the candidate's
  bool is_scratch(uint64_t address) const { return parts_[1].heap.holds(address); }
  const std::string& error() const { return error_; }

 private:
  struct Chunk {
    uint64_t at, bytes;
  };
  struct Part {
    Heap heap;
    std::vector<Chunk> chunks;
    uint64_t mapped() const { return chunks.empty() ? heap.first() : chunks.back().at + chunks.back().bytes; }
  };
  bool grow(Part& part);
  void release_ends();

  Memory& memory_;
  uint64_t base_, serial_ = 1;
  bool reserved_ = false, scratch_ = false;
  Part parts_[2];
  std::string error_;
};

}  // namespace kbx::probe
