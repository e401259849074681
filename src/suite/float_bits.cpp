// Conversions. The f16 and bf16 loops are branchless so that the compiler can use vector instructions.
// Before every include: g++ inlines only between functions of equal options. No value depends on them: IEEE stays.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif
#include "suite/float_bits.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/check.h"

namespace kbx::suite {
namespace {

inline uint16_t to_f16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), a = bits & 0x7fffffffu;
  uint32_t normal = (a + 0xfffu + (a >> 13 & 1) - 0x38000000u) >> 13;
  normal = normal < 0x7c00u ? normal : 0x7c00u;
  // Below 2^-14 the format's spacing is 2^-24: adding 0.5, whose spacing is the same, rounds in hardware.
  uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(a) + 0.5f) - 0x3f000000u;
  uint32_t h = a < 0x38800000u ? small : normal;
  h = a > 0x7f800000u ? 0x7e00u : h;
  return uint16_t(bits >> 16 & 0x8000u) | uint16_t(h);
}

inline uint16_t to_bf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), a = bits & 0x7fffffffu;
  uint32_t h = (a + 0x7fffu + (a >> 16 & 1)) >> 16;
  h = a > 0x7f800000u ? 0x7fc0u : h;
  return uint16_t(bits >> 16 & 0x8000u) | uint16_t(h);
}

// A float of 8 bits with `mantissa` bits and a bias; rounding by exact scaling to the spacing.
template <int mantissa, int bias>
uint8_t to_f8(float value, double max, uint8_t overflow, uint8_t nan) {
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return sign | nan;
  double a = std::fabs(double(value));
  if (a == 0) return sign;
  int exponent = a < std::ldexp(1.0, 1 - bias) ? 1 - bias : std::ilogb(a);
  double spacing = std::ldexp(1.0, exponent - mantissa);
  double rounded = std::nearbyint(a / spacing) * spacing;
  if (!(rounded <= max)) return sign | overflow;
  if (rounded < std::ldexp(1.0, 1 - bias)) return sign | uint8_t(rounded / std::ldexp(1.0, 1 - bias - mantissa));
  exponent = std::ilogb(rounded);
  auto fraction = unsigned((rounded / std::ldexp(1.0, exponent) - 1) * (1 << mantissa));
  return uint8_t(sign | unsigned(exponent + bias) << mantissa | fraction);
}
uint8_t to_e4m3(float v) { return to_f8<3, 7>(v, 448, 0x7f, 0x7f); }
uint8_t to_e5m2(float v) { return to_f8<2, 15>(v, 57344, 0x7c, 0x7f); }

double from_small(unsigned bits, int width, int mantissa, int bias, bool has_infinity) {
  unsigned sign = bits >> (width - 1) & 1, exponent = bits >> mantissa & ((1u << (width - 1 - mantissa)) - 1);
  unsigned fraction = bits & ((1u << mantissa) - 1), all_ones = (1u << (width - 1 - mantissa)) - 1;
  double value = 0;
  if (has_infinity && exponent == all_ones)
    value = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (!has_infinity && exponent == all_ones && fraction == (1u << mantissa) - 1)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(double(fraction), 1 - bias - mantissa);
  else
    value = std::ldexp(1 + std::ldexp(double(fraction), -mantissa), int(exponent) - bias);
  return sign ? -value : value;
}

template <class Int>
Int to_int(double v) {
  if (!(v == v)) return 0;
  double r = std::nearbyint(v);
  if (r <= double(std::numeric_limits<Int>::min())) return std::numeric_limits<Int>::min();
  if (r >= double(std::numeric_limits<Int>::max())) return std::numeric_limits<Int>::max();
  return Int(r);
}

template <class To, class T, class Convert>
void each(const T* from, size_t n, std::byte* to, Convert convert) {
  To* out = reinterpret_cast<To*>(to);  // storages are aligned for every element type
  for (size_t k = 0; k < n; k++) out[k] = convert(from[k]);
}

template <class T>
void store_any(Dtype dtype, const T* from, size_t n, std::byte* to) {
  if (n == 0) return;  // `to` may be null then
  switch (dtype) {
    case Dtype::f16:
      return each<uint16_t>(from, n, to, [](T v) { return to_f16(float(v)); });
    case Dtype::bf16:
      return each<uint16_t>(from, n, to, [](T v) { return to_bf16(float(v)); });
    case Dtype::f8e4m3:
      return each<uint8_t>(from, n, to, [](T v) { return to_e4m3(float(v)); });
    case Dtype::f8e5m2:
      return each<uint8_t>(from, n, to, [](T v) { return to_e5m2(float(v)); });
    case Dtype::f32:
      if constexpr (sizeof(T) == 4)
        std::memcpy(to, from, n * 4);
      else
        each<float>(from, n, to, [](T v) { return float(v); });
      return;
    case Dtype::f64:
      return each<double>(from, n, to, [](T v) { return double(v); });
    case Dtype::i8:
      return each<int8_t>(from, n, to, [](T v) { return to_int<int8_t>(v); });
    case Dtype::i16:
      return each<int16_t>(from, n, to, [](T v) { return to_int<int16_t>(v); });
    case Dtype::i32:
      return each<int32_t>(from, n, to, [](T v) { return to_int<int32_t>(v); });
    case Dtype::i64:
      return each<int64_t>(from, n, to, [](T v) { return to_int<int64_t>(v); });
    case Dtype::u8:
      return each<uint8_t>(from, n, to, [](T v) { return to_int<uint8_t>(v); });
    case Dtype::boolean:
      return each<uint8_t>(from, n, to, [](T v) { return uint8_t(v != 0); });
    case Dtype::c64:
    case Dtype::c128:
      break;
  }
  KBX_UNREACHABLE("store of a complex dtype: store its parts");
}

template <class T>
double read_as(const std::byte* from) {
  T v;
  std::memcpy(&v, from, sizeof v);
  return double(v);
}

}  // namespace

void store(Dtype dtype, const float* from, size_t n, std::byte* to) { store_any(dtype, from, n, to); }
void store(Dtype dtype, const double* from, size_t n, std::byte* to) { store_any(dtype, from, n, to); }

double load(Dtype dtype, const std::byte* from) {
  auto small = [&](auto zero) {
    std::memcpy(&zero, from, sizeof zero);
    return unsigned(zero);
  };
  switch (dtype) {
    case Dtype::f16:
      return from_small(small(uint16_t{}), 16, 10, 15, true);
    case Dtype::bf16:
      return from_small(small(uint16_t{}), 16, 7, 127, true);
    case Dtype::f8e4m3:
      return from_small(small(uint8_t{}), 8, 3, 7, false);
    case Dtype::f8e5m2:
      return from_small(small(uint8_t{}), 8, 2, 15, true);
    case Dtype::f32:
      return read_as<float>(from);
    case Dtype::f64:
      return read_as<double>(from);
    case Dtype::i8:
      return read_as<int8_t>(from);
    case Dtype::i16:
      return read_as<int16_t>(from);
    case Dtype::i32:
      return read_as<int32_t>(from);
    case Dtype::i64:
      return read_as<int64_t>(from);
    case Dtype::u8:
    case Dtype::boolean:
      return read_as<uint8_t>(from);
    case Dtype::c64:
    case Dtype::c128:
      break;
  }
  KBX_UNREACHABLE("load of a complex dtype: load its parts");
}

double greatest(Dtype dtype) {
  switch (part_of(dtype)) {
    case Dtype::f16:
      return 65504;
    case Dtype::bf16:
      return 0x1.fep127;
    case Dtype::f8e4m3:
      return 448;
    case Dtype::f8e5m2:
      return 57344;
    case Dtype::f32:
      return std::numeric_limits<float>::max();
    case Dtype::f64:
      return std::numeric_limits<double>::max();
    case Dtype::i8:
      return 127;
    case Dtype::i16:
      return 32767;
    case Dtype::i32:
      return 2147483647;
    case Dtype::i64:
      return 0x1p63;  // stored as the largest integer
    case Dtype::u8:
      return 255;
    default:
      return 1;
  }
}
double least(Dtype dtype) {
  if (dtype == Dtype::u8 || dtype == Dtype::boolean) return 0;
  if (is_integer(dtype) && dtype != Dtype::i64) return -greatest(dtype) - 1;
  return -greatest(dtype);
}
double smallest_normal(Dtype dtype) {
  switch (part_of(dtype)) {
    case Dtype::f16:
      return 0x1p-14;
    case Dtype::bf16:
    case Dtype::f32:
      return 0x1p-126;
    case Dtype::f8e4m3:
      return 0x1p-6;
    case Dtype::f8e5m2:
      return 0x1p-14;
    case Dtype::f64:
      return 0x1p-1022;
    default:
      return 1;
  }
}
double smallest_positive(Dtype dtype) {
  if (!is_floating(dtype) && !is_complex(dtype)) return 1;
  return smallest_normal(dtype) * epsilon_of(dtype);
}

double just_below(Dtype dtype, double x) {
  if (is_integer(dtype) || dtype == Dtype::boolean) return std::ceil(x) - 1;
  std::byte bytes[8];
  store(part_of(dtype), &x, 1, bytes);
  double rounded = load(part_of(dtype), bytes);
  if (rounded < x) return rounded;
  // One spacing below a value r is r - spacing, half as much when r is a power of two above 0.
  double a = std::fabs(rounded), normal = smallest_normal(dtype);
  double spacing = a <= normal ? smallest_positive(dtype) : std::ldexp(epsilon_of(dtype), std::ilogb(a));
  if (rounded > normal && std::ldexp(1.0, std::ilogb(a)) == a) spacing /= 2;
  return rounded - spacing;
}

Dtype part_of(Dtype dtype) { return dtype == Dtype::c64 ? Dtype::f32 : dtype == Dtype::c128 ? Dtype::f64 : dtype; }

}  // namespace kbx::suite
