// f16, bf16 and the two fp8 formats (e4m3fn, e5m2): packing, and rounding to nearest even of values kept as float.
// fp8 saturates to the largest finite value, as the GPU's conversion does; NaN stays NaN.
#pragma once
#include <cstdint>

#include "ir/kind.h"

namespace kbx::ir {

// The bits in the low end; for f32 the float's own bits.
uint32_t float_to_bits(Kind kind, float value);
float bits_to_float(Kind kind, uint32_t bits);
// n elements, memory to arena and back; memory may be unaligned. kind must be a small float.
void unpack_floats(Kind kind, const uint8_t* memory, float* lanes, uint32_t n);
void pack_floats(Kind kind, const float* lanes, uint8_t* memory, uint32_t n);
void round_floats(Kind kind, float* lanes, uint32_t n);

namespace portable {  // what the above do without the F16C instructions; public for the test that compares both
uint16_t float_to_half(float value);
float half_to_float(uint16_t bits);
}  // namespace portable

}  // namespace kbx::ir
