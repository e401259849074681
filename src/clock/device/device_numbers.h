// The number formats of tensors, both ways, in double precision: rounding to nearest even, overflow to infinity (f8e4m3,
// which has none: NaN), integers rounded and kept within their range (NaN: 0), bool by "is not zero".
#pragma once
#include "device_base.h"

namespace kbx::clock::device {

// The values of kbx::Dtype.
enum Number : uint32_t { kF16, kBf16, kF32, kF64, kF8e4m3, kF8e5m2, kI8, kI16, kI32, kI64, kU8, kBool, kC64, kC128 };

struct SmallFloat {
  int exponent, mantissa;  // bits
  bool infinite;           // has infinities
  uint32_t nan;            // quiet, positive
};
KBX_DEVICE SmallFloat small_float(uint32_t number) {
  if (number == kF16) return SmallFloat{5, 10, true, 0x7e00};
  if (number == kBf16) return SmallFloat{8, 7, true, 0x7fc0};
  if (number == kF8e4m3) return SmallFloat{4, 3, false, 0x7f};
  return SmallFloat{5, 2, true, 0x7e};
}
KBX_DEVICE double power_of_two(int e) { return float_of(uint64_t(e + 1023) << 52); }  // normal results only

KBX_DEVICE uint32_t encode_small(double v, SmallFloat f) {
  uint64_t bits = bits_of(v), magnitude = bits & ~(1ull << 63);
  uint32_t sign = uint32_t(bits >> 63) << (f.exponent + f.mantissa);
  uint32_t top = ((1u << f.exponent) - 1) << f.mantissa;  // infinity's code
  if (magnitude > 0x7ff0000000000000ull) return f.nan;
  if (magnitude == 0x7ff0000000000000ull) return f.infinite ? sign | top : f.nan | sign;
  int bias = (1 << (f.exponent - 1)) - 1, least = 1 - bias, e = int(magnitude >> 52) - 1023;
  if (e > bias + 1) return f.infinite ? sign | top : f.nan | sign;
  if (e < least) e = least;
  // In units of the last place; a carry out of the mantissa goes into the exponent by itself.
  double units = nearest_integer(float_of(magnitude) * power_of_two(f.mantissa - e));
  uint32_t code = (uint32_t(e - least) << f.mantissa) + uint32_t(units);
  if (f.infinite) return sign | (code > top ? top : code);
  return sign | (code >= f.nan ? f.nan : code);
}
KBX_DEVICE double decode_small(uint32_t code, SmallFloat f) {
  uint32_t magnitude = code & ((1u << (f.exponent + f.mantissa)) - 1), e = magnitude >> f.mantissa, top = (1u << f.exponent) - 1;
  double sign = code >> (f.exponent + f.mantissa) & 1 ? -1.0 : 1.0;
  uint32_t rest = magnitude & ((1u << f.mantissa) - 1);
  if (f.infinite ? e == top && rest != 0 : magnitude == f.nan) return float_of(uint64_t(0x7ff8000000000000ull));
  if (f.infinite && e == top) return sign * float_of(uint64_t(0x7ff0000000000000ull));
  int least = 2 - (1 << (f.exponent - 1));
  double units = double(e ? rest + (1u << f.mantissa) : rest);
  return sign * units * power_of_two(least - f.mantissa + (e ? int(e) - 1 : 0));
}

KBX_DEVICE int64_t encode_integer(double v, double low, double high) {
  if (v != v) return 0;
  double r = nearest_integer(v);
  if (r <= low) return int64_t(low);
  if (r >= high) return high >= 0x1p63 ? 0x7fffffffffffffffll : int64_t(high);
  return int64_t(r);
}

// Writes number `index` of an array of real numbers.
KBX_DEVICE void store_number(uint32_t number, uint64_t at, uint64_t index, double v) {
  switch (number) {
    case kF16: case kBf16: pointer<uint16_t>(at)[index] = uint16_t(encode_small(v, small_float(number))); return;
    case kF8e4m3: case kF8e5m2: pointer<uint8_t>(at)[index] = uint8_t(encode_small(v, small_float(number))); return;
    case kF32: case kC64: pointer<float>(at)[index] = float(v); return;
    case kF64: case kC128: pointer<double>(at)[index] = v; return;
    case kI8: pointer<int8_t>(at)[index] = int8_t(encode_integer(v, -128, 127)); return;
    case kI16: pointer<int16_t>(at)[index] = int16_t(encode_integer(v, -32768, 32767)); return;
    case kI32: pointer<int32_t>(at)[index] = int32_t(encode_integer(v, -2147483648.0, 2147483647.0)); return;
    case kI64: pointer<int64_t>(at)[index] = encode_integer(v, -0x1p63, 0x1p63); return;
    case kU8: pointer<uint8_t>(at)[index] = uint8_t(encode_integer(v, 0, 255)); return;
    default: pointer<uint8_t>(at)[index] = v != 0;
  }
}
// Real number `index` (parts of complex ones are numbers of their own); a bool is its byte.
KBX_DEVICE double load_number(uint32_t number, uint64_t at, uint64_t index) {
  switch (number) {
    case kF16: case kBf16: return decode_small(pointer<uint16_t>(at)[index], small_float(number));
    case kF8e4m3: case kF8e5m2: return decode_small(pointer<uint8_t>(at)[index], small_float(number));
    case kF32: case kC64: return double(pointer<float>(at)[index]);
    case kF64: case kC128: return pointer<double>(at)[index];
    case kI8: return double(pointer<int8_t>(at)[index]);
    case kI16: return double(pointer<int16_t>(at)[index]);
    case kI32: return double(pointer<int32_t>(at)[index]);
    case kI64: return double(pointer<int64_t>(at)[index]);
    default: return double(pointer<uint8_t>(at)[index]);
  }
}

}  // namespace kbx::clock::device
