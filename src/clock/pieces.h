// Sets of addresses as sorted, disjoint pieces.
#pragma once
#include <vector>

#include "model/device_tape.h"

namespace kbx::clock {

// Sorted, touching and overlapping ones joined, empty ones dropped.
std::vector<DeviceRange> merged(std::vector<DeviceRange> pieces);
// What of [base, base + bytes) is in none of them. `pieces` is merged.
std::vector<DeviceRange> complement(uint64_t base, uint64_t bytes, const std::vector<DeviceRange>& pieces);
uint64_t total_bytes(const std::vector<DeviceRange>& pieces);

// The pieces of a tape's arena.
std::vector<DeviceRange> given_pieces(const DeviceTape& tape);    // inputs and constants: what a play starts with
std::vector<DeviceRange> guarded_pieces(const DeviceTape& tape, uint64_t bytes);  // in no allocation and not given

// Where an address lies, for people: "16 bytes past input", "in no allocation".
std::string place_text(const DeviceTape& tape, uint64_t at);

}  // namespace kbx::clock
