#include "clock/pieces.h"

#include <fmt/format.h>

#include <algorithm>

namespace kbx::clock {

std::vector<DeviceRange> merged(std::vector<DeviceRange> pieces) {
  std::erase_if(pieces, [](const DeviceRange& r) { return r.bytes == 0; });
  std::sort(pieces.begin(), pieces.end(), [](const DeviceRange& a, const DeviceRange& b) { return a.at < b.at; });
  std::vector<DeviceRange> out;
  for (const DeviceRange& r : pieces) {
    if (out.empty() || r.at > out.back().at + out.back().bytes) out.push_back(r);
    else out.back().bytes = std::max(out.back().bytes, r.at + r.bytes - out.back().at);
  }
  return out;
}

std::vector<DeviceRange> complement(uint64_t base, uint64_t bytes, const std::vector<DeviceRange>& pieces) {
  std::vector<DeviceRange> out;
  uint64_t at = base, end = base + bytes;
  for (const DeviceRange& r : pieces) {
    if (r.at > at) out.push_back({at, std::min(r.at, end) - at});
    at = std::max(at, r.at + r.bytes);
    if (at >= end) return out;
  }
  if (at < end) out.push_back({at, end - at});
  return out;
}

uint64_t total_bytes(const std::vector<DeviceRange>& pieces) {
  uint64_t sum = 0;
  for (const DeviceRange& r : pieces) sum += r.bytes;
  return sum;
}

std::vector<DeviceRange> given_pieces(const DeviceTape& tape) {
  std::vector<DeviceRange> pieces;
  for (const DeviceTensor& t : tape.inputs) pieces.push_back(t.storage);
  for (const DeviceConstant& c : tape.constants) pieces.push_back({c.at, c.data.size()});
  return merged(std::move(pieces));
}

std::vector<DeviceRange> guarded_pieces(const DeviceTape& tape, uint64_t bytes) {
  std::vector<DeviceRange> pieces = tape.live;
  for (const DeviceRange& r : given_pieces(tape)) pieces.push_back(r);
  for (const DeviceTensor& t : tape.outputs) pieces.push_back(t.storage);
  return complement(tape.base, bytes, merged(std::move(pieces)));
}

std::string place_text(const DeviceTape& tape, uint64_t at) {
  std::string name;
  uint64_t least = UINT64_MAX;
  bool before = false;
  auto offer = [&](const std::string& who, const DeviceRange& r) {
    uint64_t end = r.at + r.bytes, distance = at >= end ? at - end : at < r.at ? r.at - at : 0;
    if (distance >= least) return;
    least = distance;
    name = who;
    before = at < r.at;
  };
  for (const DeviceTensor& t : tape.inputs) offer(t.name, t.storage);
  for (const DeviceTensor& t : tape.outputs) offer(t.name, t.storage);
  for (const DeviceRange& r : tape.live) offer("an allocation", r);
  if (name.empty()) return "in no allocation";
  return fmt::format("{} bytes {} {}", least, before ? "before" : "past", name);
}

}  // namespace kbx::clock
