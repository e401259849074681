// Decoding of the narrow float formats to float, exactly: IEEE binary16, bfloat16, FP8 E4M3 (finite: no Inf, 0x7f/0xff
// are NaN) and FP8 E5M2 (IEEE-like). OCP "8-bit Floating Point Specification" 1.0, section 5.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace kbx::judge {

// A sign-magnitude format of `mantissa` bits whose exponent has `bias`: the finite part of all four.
constexpr float decode_small(uint32_t magnitude, int mantissa, int bias) {
  uint32_t exponent = magnitude >> mantissa;
  uint32_t fraction = magnitude & ((1u << mantissa) - 1);
  if (exponent == 0) {  // subnormal: fraction * 2^(1 - bias - mantissa), a power that float can hold
    return float(fraction) * std::bit_cast<float>(uint32_t(127 + 1 - bias - mantissa) << 23);
  }
  return std::bit_cast<float>(((exponent + 127u - uint32_t(bias)) << 23) | (fraction << (23 - mantissa)));
}

constexpr float from_f16(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(decode_small(magnitude, 10, 15)));
}

constexpr float from_bf16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

constexpr float from_f8e4m3(uint8_t bits) {
  uint32_t sign = uint32_t(bits & 0x80u) << 24, magnitude = bits & 0x7fu;
  if (magnitude == 0x7fu) return std::bit_cast<float>(sign | 0x7fc00000u);
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(decode_small(magnitude, 3, 7)));
}

constexpr float from_f8e5m2(uint8_t bits) { return from_f16(uint16_t(uint32_t(bits) << 8)); }

}  // namespace kbx::judge
