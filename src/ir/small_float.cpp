// Small floats.
#include "ir/small_float.h"

#include <bit>
#include <cmath>
#include <cstring>
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace kbx::ir {
namespace {

uint32_t as_bits(float f) { return std::bit_cast<uint32_t>(f); }
float as_float(uint32_t u) { return std::bit_cast<float>(u); }

uint32_t to_bf16(float f) {
  uint32_t u = as_bits(f);
  return (u & 0x7fffffff) > 0x7f800000 ? (0x7fc0 | (u >> 16 & 0x8000)) : (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

struct Fp8 {
  int exponent_bits, mantissa_bits;
  float largest;
  bool infinity;  // the top exponent holds infinity and NaN; else only all ones is NaN
};
constexpr Fp8 kE4m3{4, 3, 448, false}, kE5m2{5, 2, 57344, true};

uint32_t to_fp8(float f, const Fp8& p) {
  uint32_t sign = as_bits(f) >> 31 << 7;
  float a = std::fabs(f);
  if (f != f) return sign | 0x7f;
  int m = p.mantissa_bits, bias = (1 << (p.exponent_bits - 1)) - 1;
  int lowest = 1 - bias, ex = a == 0 || std::isinf(a) ? lowest : std::max(std::ilogb(a), lowest);
  float q = std::nearbyint(std::ldexp(a, m - ex));  // nearest even, the default mode
  if (std::isinf(a) || std::ldexp(q, ex - m) > p.largest) {
    ex = std::ilogb(p.largest);
    q = std::ldexp(p.largest, m - ex);
  }
  // A subnormal has no hidden bit and a carry runs into the exponent: one sum is right for all.
  return sign | (static_cast<uint32_t>(q) + (static_cast<uint32_t>(ex + bias - 1) << m));
}
float from_fp8(uint32_t b, const Fp8& p) {
  int m = p.mantissa_bits, bias = (1 << (p.exponent_bits - 1)) - 1, top = (1 << p.exponent_bits) - 1;
  int ex = static_cast<int>(b >> m) & top;
  int fraction = static_cast<int>(b & ((1u << m) - 1));
  float v;
  if (p.infinity && ex == top)
    v = fraction ? NAN : INFINITY;
  else if (!p.infinity && (b & 127) == 127)
    v = NAN;
  else if (ex)
    v = std::ldexp(static_cast<float>(fraction | 1 << m), ex - bias - m);
  else
    v = std::ldexp(static_cast<float>(fraction), 1 - bias - m);
  return b & 128 ? -v : v;
}

uint16_t half_bits(float f) {
#if defined(__F16C__)
  return static_cast<uint16_t>(_cvtss_sh(f, 0));
#else
  return portable::float_to_half(f);
#endif
}
float half_value(uint16_t b) {
#if defined(__F16C__)
  return _cvtsh_ss(b);
#else
  return portable::half_to_float(b);
#endif
}

}  // namespace

namespace portable {

uint16_t float_to_half(float value) {
  uint32_t u = as_bits(value), sign = u >> 16 & 0x8000;
  u &= 0x7fffffff;
  if (u > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00 | (u >> 13 & 0x3ff));
  if (u >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);  // rounds to 65536 or more
  if (u < 0x38800000) {                                              // subnormal: let the adder round
    float shifted = as_float(u) + 0.5f;
    return static_cast<uint16_t>(sign | (as_bits(shifted) - as_bits(0.5f)));
  }
  u += 0xfff + (u >> 13 & 1);
  return static_cast<uint16_t>(sign | ((u - 0x38000000) >> 13));
}

float half_to_float(uint16_t bits) {
  uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, e = bits >> 10 & 31, m = bits & 0x3ff;
  if (e == 31) return as_float(sign | 0x7f800000 | (m ? 0x400000 | m << 13 : 0));
  if (e == 0) {
    float v = static_cast<float>(m) * 0x1p-24f;
    return sign ? -v : v;
  }
  return as_float(sign | (e + 112) << 23 | m << 13);
}

}  // namespace portable

uint32_t float_to_bits(Kind kind, float value) {
  switch (kind) {
    case Kind::f16:
      return half_bits(value);
    case Kind::bf16:
      return to_bf16(value) & 0xffff;
    case Kind::e4m3:
      return to_fp8(value, kE4m3);
    case Kind::e5m2:
      return to_fp8(value, kE5m2);
    default:
      return as_bits(value);
  }
}

float bits_to_float(Kind kind, uint32_t bits) {
  switch (kind) {
    case Kind::f16:
      return half_value(static_cast<uint16_t>(bits));
    case Kind::bf16:
      return as_float(bits << 16);
    case Kind::e4m3:
      return from_fp8(bits & 255, kE4m3);
    case Kind::e5m2:
      return from_fp8(bits & 255, kE5m2);
    default:
      return as_float(bits);
  }
}

void unpack_floats(Kind kind, const uint8_t* memory, float* lanes, uint32_t n) {
  uint32_t k = 0;
  if (kind == Kind::e4m3 || kind == Kind::e5m2) {
    for (; k < n; k++) lanes[k] = bits_to_float(kind, memory[k]);
    return;
  }
#if defined(__F16C__)
  if (kind == Kind::f16)
    for (; k + 8 <= n; k += 8)
      _mm256_storeu_ps(lanes + k, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(memory + 2 * k))));
#endif
  for (; k < n; k++) {
    uint16_t b;
    std::memcpy(&b, memory + 2 * uint64_t{k}, 2);
    lanes[k] = kind == Kind::f16 ? half_value(b) : as_float(uint32_t{b} << 16);
  }
}

void pack_floats(Kind kind, const float* lanes, uint8_t* memory, uint32_t n) {
  uint32_t k = 0;
  if (kind == Kind::e4m3 || kind == Kind::e5m2) {
    for (; k < n; k++) memory[k] = static_cast<uint8_t>(float_to_bits(kind, lanes[k]));
    return;
  }
#if defined(__F16C__)
  if (kind == Kind::f16)
    for (; k + 8 <= n; k += 8)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(memory + 2 * k), _mm256_cvtps_ph(_mm256_loadu_ps(lanes + k), 0));
#endif
  for (; k < n; k++) {
    auto b = static_cast<uint16_t>(kind == Kind::f16 ? half_bits(lanes[k]) : to_bf16(lanes[k]));
    std::memcpy(memory + 2 * uint64_t{k}, &b, 2);
  }
}

void round_floats(Kind kind, float* lanes, uint32_t n) {
  uint32_t k = 0;
  if (kind == Kind::bf16) {
    for (; k < n; k++) lanes[k] = as_float(to_bf16(lanes[k]) << 16);
    return;
  }
#if defined(__F16C__)
  if (kind == Kind::f16)
    for (; k + 8 <= n; k += 8)
      _mm256_storeu_ps(lanes + k, _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_loadu_ps(lanes + k), 0)));
#endif
  for (; k < n; k++) lanes[k] = bits_to_float(kind, float_to_bits(kind, lanes[k]));
}

}  // namespace kbx::ir
