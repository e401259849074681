// Chunks start at 64 MiB, so that a small candidate costs one, and double up to 1 GiB.
#include "probe/arena.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/device_tape.h"

namespace kbx::probe {
namespace {

constexpr uint64_t kFirstChunk = uint64_t(64) << 20, kLargestChunk = uint64_t(1) << 30,
                   kGranularity = uint64_t(2) << 20;
constexpr uint64_t kOwnAt = kDeviceArenaBytes / 8 * 7;  // where the recorder's own part begins

uint64_t round_up(uint64_t n) { return (n + kGranularity - 1) / kGranularity * kGranularity; }

}  // namespace

Arena::Arena(Memory& memory, uint64_t base)
    : memory_(memory),
      base_(base),
      parts_{{Heap(base, base + kOwnAt), {}}, {Heap(base + kOwnAt, base + kDeviceArenaBytes), {}}} {}

uint64_t Arena::mapped() const {
  uint64_t sum = 0;
  for (const Part& p : parts_) sum += p.mapped() - p.heap.first();
  return sum;
}

// Memory up to the heap's top: a comfortable chunk, else just what is needed, else that after giving back unused ends.
bool Arena::grow(Part& part) {
  uint64_t end = part.mapped();
  if (part.heap.top() <= end) return true;
  uint64_t need = round_up(part.heap.top() - end);
  uint64_t chunk =
      std::max(need, std::min(kLargestChunk, part.chunks.empty() ? kFirstChunk : part.chunks.back().bytes * 2));
  for (int attempt = 0; attempt < 3; attempt++) {
    uint64_t bytes = attempt == 0 ? chunk : need;
    if (attempt == 2) release_ends();
    error_ = memory_.map(end, bytes);
    if (error_.empty()) {
      part.chunks.push_back({end, bytes});
      return true;
    }
  }
  return false;
}

void Arena::release_ends() {
  for (Part& p : parts_) {
    uint64_t used = p.heap.first();
    if (!p.heap.live().empty()) used = p.heap.live().rbegin()->first + p.heap.live().rbegin()->second.room;
    // A heap that is about to grow has a live block above its chunks: its chunks all stay.
    p.heap.trim();
    while (!p.chunks.empty() && p.chunks.back().at >= used) {
      memory_.unmap(p.chunks.back().at, p.chunks.back().bytes);
      p.chunks.pop_back();
    }
  }
}

uint64_t Arena::allocate(uint64_t bytes) {
  if (!reserved_) {
    error_ = memory_.reserve(base_, kDeviceArenaBytes);
    if (!error_.empty()) return 0;
    reserved_ = true;
  }
  Part& part = parts_[scratch_ ? 1 : 0];
  auto block = part.heap.take(bytes, serial_);
  if (!block) {
    error_ = fmt::format("the arena has addresses for {} GiB", kOwnAt >> 30);
    return 0;
  }
  if (!grow(part)) {
    part.heap.give_back(block->at);
    part.heap.trim();
    return 0;
  }
  serial_++;
  return block->at;
}

bool Arena::free(uint64_t at) {
  for (Part& p : parts_)
    if (p.heap.holds(at)) return p.heap.give_back(at);
  return false;
}

}  // namespace kbx::probe
