// Bytes: poison and guard words, copies, keyed sums, strided outputs made dense.
#pragma once
#include "device_base.h"

namespace kbx::clock::device {

KBX_DEVICE uint8_t poison_byte(uint64_t at) { return uint8_t(kPoisonWord >> (at % 4 * 8)); }

struct GuardTotals {
  uint64_t words, first;  // 32-bit words that are not poison, and the address of the first
};
// A piece's whole words by the threads that share it, its ragged ends by the first of them.
KBX_DEVICE void count_not_poison(const Piece& p, GuardTotals* out) {
  uint64_t begin = (p.at + 3) & ~3ull, end = (p.at + p.bytes) & ~3ull, hits = 0, first = ~0ull;
  for (uint64_t at = begin + item_thread() * 4; at < end; at += item_threads() * 4)
    if (*pointer<uint32_t>(at) != kPoisonWord) {
      hits++;
      first = at < first ? at : first;
    }
  if (item_thread() == 0)
    for (uint64_t at = p.at; at < p.at + p.bytes; at++) {
      if (at == begin && end > begin) at = end;
      if (at < p.at + p.bytes && *pointer<uint8_t>(at) != poison_byte(at)) {
        hits++;
        first = at < first ? at : first;
      }
    }
  if (hits == 0) return;
  atomic_add(&out->words, hits);
  atomic_min(&out->first, first);
}
KBX_DEVICE void write_poison(const Piece& p) {
  uint64_t begin = (p.at + 3) & ~3ull, end = (p.at + p.bytes) & ~3ull;
  for (uint64_t at = begin + item_thread() * 4; at < end; at += item_threads() * 4) *pointer<uint32_t>(at) = kPoisonWord;
  if (item_thread() != 0) return;
  for (uint64_t at = p.at; at < p.at + p.bytes; at++) {
    if (at == begin && end > begin) at = end;
    if (at < p.at + p.bytes) *pointer<uint8_t>(at) = poison_byte(at);
  }
}
KBX_DEVICE void copy_bytes(const Move& m) {
  bool words = (m.to | m.from) % 4 == 0;
  uint64_t whole = words ? m.bytes / 4 : 0;
  for (uint64_t k = item_thread(); k < whole; k += item_threads()) pointer<uint32_t>(m.to)[k] = pointer<uint32_t>(m.from)[k];
  for (uint64_t k = whole * 4 + item_thread(); k < m.bytes; k += item_threads()) pointer<uint8_t>(m.to)[k] = pointer<uint8_t>(m.from)[k];
}

// A sum over keyed words; the order does not matter. at and bytes are multiples of 8.
KBX_DEVICE uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
KBX_DEVICE void checksum_all(const Piece& p, uint64_t key, uint64_t* out) {
  uint64_t sum = 0;
  for (uint64_t k = thread_index(); k < p.bytes / 8; k += thread_count()) sum += mixed(pointer<uint64_t>(p.at)[k] ^ mixed(key + k * 0x9e3779b97f4a7c15ull));
  sum = warp_sum(sum);
  if (lane() == 0) atomic_add(out, sum);
}

// Elements of a strided tensor, row-major and dense.
struct GatherSpec {
  static constexpr uint32_t kMaxDims = 16;
  uint64_t to, from, count;  // elements; from: address of the element at index 0
  uint32_t bytes, dims;      // of an element
  int64_t shape[kMaxDims], stride[kMaxDims];
};
KBX_DEVICE void gather_all(const GatherSpec& g) {
  for (uint64_t k = thread_index(); k < g.count; k += thread_count()) {
    uint64_t rest = k, at = 0;
    for (int d = int(g.dims) - 1; d >= 0; d--) {
      at += rest % uint64_t(g.shape[d]) * uint64_t(g.stride[d]);
      rest /= uint64_t(g.shape[d]);
    }
    uint64_t from = g.from + at * g.bytes, to = g.to + k * g.bytes;
    switch (g.bytes) {
      case 1: *pointer<uint8_t>(to) = *pointer<uint8_t>(from); break;
      case 2: *pointer<uint16_t>(to) = *pointer<uint16_t>(from); break;
      case 4: *pointer<uint32_t>(to) = *pointer<uint32_t>(from); break;
      default:
        for (uint32_t b = 0; b < g.bytes; b += 8) *pointer<uint64_t>(to + b) = *pointer<uint64_t>(from + b);
    }
  }
}

}  // namespace kbx::clock::device
