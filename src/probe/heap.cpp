// Best fit over a map of holes. Calls are rare beside kernels, so a walk over the holes is good enough.
#include "probe/heap.h"

#include <algorithm>
#include <iterator>

namespace kbx::probe {

std::optional<Block> Heap::take(uint64_t bytes, uint64_t serial) {
  if (bytes > end_ - first_) return std::nullopt;
  uint64_t room = (std::max<uint64_t>(bytes, 1) + kHeapAlign - 1) / kHeapAlign * kHeapAlign + kRedzone;
  auto best = free_.end();
  for (auto it = free_.begin(); it != free_.end(); ++it)
    if (it->second >= room && (best == free_.end() || it->second < best->second)) best = it;
  Block block{0, bytes, room, serial};
  if (best != free_.end()) {
    block.at = best->first;
    uint64_t rest = best->second - room;
    free_.erase(best);
    if (rest) free_[block.at + room] = rest;
  } else {
    // A hole that ends at the top grows.
    uint64_t at = top_;
    if (!free_.empty() && free_.rbegin()->first + free_.rbegin()->second == top_) at = free_.rbegin()->first;
    if (room > end_ - at) return std::nullopt;
    free_.erase(at);
    block.at = at;
    top_ = at + room;
  }
  live_[block.at] = block;
  return block;
}

bool Heap::give_back(uint64_t at) {
  auto it = live_.find(at);
  if (it == live_.end()) return false;
  uint64_t bytes = it->second.room;
  live_.erase(it);
  auto next = free_.lower_bound(at);
  if (next != free_.end() && at + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin())
    if (auto before = std::prev(next); before->first + before->second == at) {
      before->second += bytes;
      return true;
    }
  free_[at] = bytes;
  return true;
}

const Block* Heap::find(uint64_t address) const {
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  const Block& b = std::prev(it)->second;
  return address - b.at < std::max<uint64_t>(b.bytes, 1) ? &b : nullptr;
}

void Heap::trim() {
  if (free_.empty()) return;
  auto last = std::prev(free_.end());
  if (last->first + last->second != top_) return;
  top_ = last->first;
  free_.erase(last);
}

}  // namespace kbx::probe
