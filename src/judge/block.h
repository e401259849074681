// Block: 512 elements of a comparison as doubles in the first-level cache, and the arithmetic over them.
#pragma once
#include <cstdint>

#include "judge/compare.h"
#include "judge/partial.h"

namespace kbx::judge {

inline constexpr int64_t kBlock = 512;

// Adds elements [first, first + n), n <= kBlock, to `into`; mask, if not null, receives n mismatch flags.
void add_real_block(const Pair& pair, int64_t first, int64_t n, Partial& into, uint8_t* mask);
void add_complex_block(const Pair& pair, int64_t first, int64_t n, Partial& into, uint8_t* mask);

}  // namespace kbx::judge
