// The element kinds of TTIR and how many bytes a lane takes. The C interface promises their numbers.
#pragma once
#include <cstdint>

namespace kbx::ir {

enum class Kind : uint8_t { i1, i8, i16, i32, i64, f32, f64, f16, bf16, e4m3, e5m2, ptr, other };

// Kept in the arena as float and rounded after every operation.
inline bool is_small_float(Kind k) { return k >= Kind::f16 && k <= Kind::e5m2; }
inline bool is_float(Kind k) { return k >= Kind::f32 && k <= Kind::e5m2; }
inline bool is_integer(Kind k) { return k <= Kind::i64; }

// Bytes of one lane in the arena.
inline uint32_t lane_bytes(Kind k) {
  constexpr uint8_t kBytes[] = {1, 1, 2, 4, 8, 4, 8, 4, 4, 4, 4, 8, 8};
  return kBytes[static_cast<int>(k)];
}
// Bytes of one element in memory.
inline uint32_t memory_bytes(Kind k) {
  constexpr uint8_t kBytes[] = {1, 1, 2, 4, 8, 4, 8, 2, 2, 1, 1, 8, 8};
  return kBytes[static_cast<int>(k)];
}

}  // namespace kbx::ir
