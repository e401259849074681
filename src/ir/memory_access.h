// From a tagged pointer to a place in one of the launch's ranges; shared by loads, stores and atomics.
#pragma once
#include <cstring>

#include "ir/context.h"

namespace kbx::ir {

inline constexpr uint64_t kAddressMask = (uint64_t{1} << 48) - 1;
inline constexpr int kTagShift = 48;

struct Hit {
  uint8_t* at = nullptr;  // null: outside
  int range = -1;         // of the hit, or of the storage the pointer came from
  uint64_t offset = 0;    // from the range's base
  int64_t distance = 0;   // outside: bytes past the end (positive) or before the start (negative)
};

inline uint64_t address_of(const MemoryRange& r) { return reinterpret_cast<uint64_t>(r.base) & kAddressMask; }

// A pointer with a tag is checked against its own storage only; one without is looked up in all of them.
inline Hit find_memory(const Context& c, uint64_t pointer, uint64_t bytes) {
  const auto& ranges = c.shared->ranges;
  uint64_t tag = pointer >> kTagShift, address = pointer & kAddressMask;
  Hit hit;
  if (tag - 1 < ranges.size()) {
    const MemoryRange& r = ranges[tag - 1];
    uint64_t base = address_of(r), offset = address - base;
    hit.range = static_cast<int>(tag - 1);
    hit.offset = offset;
    if (offset < r.size && bytes <= r.size - offset)
      hit.at = r.base + offset;
    else
      hit.distance = static_cast<int64_t>(address < base ? address - base : address + bytes - base - r.size);
    return hit;
  }
  for (size_t k = 0; k < ranges.size(); k++) {
    const MemoryRange& r = ranges[k];
    uint64_t offset = address - address_of(r);
    if (offset < r.size && bytes <= r.size - offset) return {r.base + offset, static_cast<int>(k), offset, 0};
  }
  return hit;
}

inline bool any_set(const uint8_t* p, uint64_t n) { return std::memchr(p, 1, n) != nullptr; }
inline bool all_set(const uint8_t* p, uint64_t n) { return std::memchr(p, 0, n) == nullptr; }
inline bool is_contiguous(const uint64_t* p, uint32_t n, uint32_t bytes) {
  uint64_t bad = 0, first = p[0];
  for (uint32_t k = 0; k < n; k++) bad |= p[k] ^ (first + uint64_t{k} * bytes);
  return bad == 0;
}

// Gathers what goes wrong while one instruction runs; told once, when it ends, with the first lane's details.
class Trouble {
 public:
  Trouble(Context& c, const Inst& i) : c_(c), i_(i) {}
  ~Trouble() { flush(); }
  Trouble(const Trouble&) = delete;  // flushes once
  Trouble& operator=(const Trouble&) = delete;

  void add(FindingKind kind, const Hit& hit, uint32_t lane) {
    if (o_.count && (o_.kind != kind || o_.range != hit.range)) flush();
    if (o_.count++) return;
    o_.kind = kind;
    o_.range = hit.range;
    o_.distance = hit.distance;
    o_.offset = hit.range >= 0 ? static_cast<int64_t>(hit.offset) : -1;
    o_.element = i_.lanes > 1 ? static_cast<int64_t>(lane) : -1;
    o_.width = memory_bytes(i_.kind);
  }

 private:
  void flush() {
    if (!o_.count) return;
    o_.place = i_.place;
    o_.program = c_.program;
    c_.shared->findings->add(o_);
    o_ = {.count = 0};
  }
  Context& c_;
  const Inst& i_;
  Occurrence o_{.count = 0};
};

// Undefined mask lanes, and undefined addresses of lanes that are on.
inline void check_operands(Context& c, const Inst& i, const uint8_t* mask, Trouble& trouble) {
  if (!c.undefined) return;
  if (mask && c.is_tainted(i.b))
    for (uint32_t k = 0; k < i.lanes; k++)
      if (c.undefined[i.b + k]) trouble.add(FindingKind::undefined_mask, {}, k);
  if (!c.is_tainted(i.a)) return;
  for (uint32_t k = 0; k < i.lanes; k++)
    if (c.undefined[i.a + k] && (!mask || mask[k])) trouble.add(FindingKind::undefined_address, {}, k);
}

// Bytes that the current instruction moved; what only counts may look at.
inline void count(Context& c, Access access, int range, uint64_t bytes) {
  RangeCounts& r = c.ranges[range];
  c.tally[c.pc].bytes += bytes;
  switch (access) {
    case Access::read:
      r.load_bytes += bytes;
      c.loaded += bytes;
      break;
    case Access::write:
      r.store_bytes += bytes;
      break;
    case Access::atomic:
      r.atomic_bytes += bytes;
      c.updated += bytes;
      break;
  }
}

inline void touch(Context& c, const Inst& i, Access access, const Hit& hit, uint64_t bytes, uint32_t lane,
                  const uint8_t* fresh) {
  if (!c.race) return;
  RaceShadow::Touch t;
  t.range = hit.range;
  t.offset = hit.offset;
  t.bytes = bytes;
  t.program = c.program;
  t.place = i.place;
  t.element = i.lanes > 1 ? static_cast<int64_t>(lane) : -1;
  t.element_bytes = memory_bytes(i.kind);
  t.fresh = fresh;
  c.race->touch(access, t);
}

}  // namespace kbx::ir
