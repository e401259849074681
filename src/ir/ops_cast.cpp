// Conversions between kinds. Float to integer truncates and saturates as the GPU's cvt does (every pair of kinds measured
// on an H200, docs/ir-agreement.md).
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

template <class D>
struct Saturate {
  // There is no cvt to 8 bits: 16, and then the low half.
  using Wide = std::conditional_t<sizeof(D) != 1, D, std::conditional_t<std::is_signed_v<D>, int16_t, uint16_t>>;
  template <class S>
  D operator()(S x) const {
    using L = std::numeric_limits<Wide>;
    double v = x;
    // NaN: the top bit alone where either side has 64 bits, else 0.
    constexpr bool kTop = sizeof(S) == 8 || sizeof(Wide) == 8;
    if (v != v) return static_cast<D>(static_cast<Wide>(kTop ? uint64_t{1} << (8 * sizeof(Wide) - 1) : 0));
    // double(max) of a 64-bit type rounds up to 2^63 or 2^64, which is already out of range: >= is right for all.
    return static_cast<D>(v >= static_cast<double>(L::max())   ? L::max()
                          : v <= static_cast<double>(L::min()) ? L::min()
                                                               : static_cast<Wide>(v));
  }
};
template <class D>
struct To {
  template <class S>
  D operator()(S x) const {
    return static_cast<D>(x);
  }
};
struct ToOdd {  // double to f16 or bf16 with one rounding, which follows
  float operator()(double x) const { return to_odd(x, 0); }
};
template <class D>
struct ToUnsigned {  // through the unsigned type of the source's width
  template <class S>
  D operator()(S x) const {
    return static_cast<D>(static_cast<std::make_unsigned_t<S>>(x));
  }
};
template <class D>
struct FromBit {
  D operator()(uint8_t x) const { return static_cast<D>(x & 1); }
};
template <class D>
struct FromSignedBit {
  D operator()(uint8_t x) const { return static_cast<D>(-static_cast<int>(x & 1)); }
};
struct LowBit {
  template <class S>
  uint8_t operator()(S x) const {
    return static_cast<uint8_t>(x) & 1;
  }
};
struct NonZero {
  template <class S>
  uint8_t operator()(S x) const {
    return x != 0;
  }
};

template <class S, template <class> class F>
Kernel to_number(Kind d) {
  switch (d) {
    case Kind::i8:
      return map1<int8_t, S, F<int8_t>>;
    case Kind::i16:
      return map1<int16_t, S, F<int16_t>>;
    case Kind::i32:
      return map1<int32_t, S, F<int32_t>>;
    case Kind::i64:
    case Kind::ptr:
      return map1<int64_t, S, F<int64_t>>;
    case Kind::f64:
      return map1<double, S, F<double>>;
    default:
      return is_float(d) ? map1<float, S, F<float>> : nullptr;
  }
}
template <class S>
Kernel from_int(Kind d, bool sign) {
  if (d == Kind::i1) return map1<uint8_t, S, LowBit>;
  return sign ? to_number<S, To>(d) : to_number<S, ToUnsigned>(d);
}
template <class S>
Kernel from_float(Kind d, bool sign) {
  switch (d) {
    case Kind::i1:
      return map1<uint8_t, S, NonZero>;
    case Kind::i8:
      return sign ? map1<int8_t, S, Saturate<int8_t>> : map1<uint8_t, S, Saturate<uint8_t>>;
    case Kind::i16:
      return sign ? map1<int16_t, S, Saturate<int16_t>> : map1<uint16_t, S, Saturate<uint16_t>>;
    case Kind::i32:
      return sign ? map1<int32_t, S, Saturate<int32_t>> : map1<uint32_t, S, Saturate<uint32_t>>;
    case Kind::i64:
      return sign ? map1<int64_t, S, Saturate<int64_t>> : map1<uint64_t, S, Saturate<uint64_t>>;
    case Kind::f64:
      return map1<double, S, To<double>>;
    default:
      return is_float(d) ? map1<float, S, To<float>> : nullptr;
  }
}
Kernel convert(Kind s, Kind d, bool sign) {
  switch (s) {
    case Kind::i1:
      if (d == Kind::i1) return map1<uint8_t, uint8_t, LowBit>;
      return sign ? to_number<uint8_t, FromSignedBit>(d) : to_number<uint8_t, FromBit>(d);
    case Kind::i8:
      return from_int<int8_t>(d, sign);
    case Kind::i16:
      return from_int<int16_t>(d, sign);
    case Kind::i32:
      return from_int<int32_t>(d, sign);
    case Kind::i64:
      return from_int<int64_t>(d, sign);
    case Kind::f64:
      if (d == Kind::f16 || d == Kind::bf16) return map1<float, double, ToOdd>;
      return from_float<double>(d, sign);
    default:
      return is_float(s) ? from_float<float>(d, sign) : nullptr;
  }
}

Kernel widen_signed(const Signature& s) {
  return s.operands == 1 && is_integer(s.a) && is_integer(s.result) ? convert(s.a, s.result, true) : nullptr;
}
Kernel widen_unsigned(const Signature& s) {
  return s.operands == 1 && is_integer(s.a) && is_integer(s.result) ? convert(s.a, s.result, false) : nullptr;
}
Kernel int_to_float(const Signature& s) {
  return s.operands == 1 && is_integer(s.a) && is_float(s.result) ? convert(s.a, s.result, true) : nullptr;
}
Kernel unsigned_to_float(const Signature& s) {
  return s.operands == 1 && is_integer(s.a) && is_float(s.result) ? convert(s.a, s.result, false) : nullptr;
}
Kernel float_to_int(const Signature& s) {
  return s.operands == 1 && is_float(s.a) && is_integer(s.result) ? convert(s.a, s.result, true) : nullptr;
}
Kernel float_to_unsigned(const Signature& s) {
  return s.operands == 1 && is_float(s.a) && is_integer(s.result) ? convert(s.a, s.result, false) : nullptr;
}
Kernel float_to_float(const Signature& s) {
  return s.operands == 1 && is_float(s.a) && is_float(s.result) ? convert(s.a, s.result, true) : nullptr;
}
// f32 to f16 and bf16 toward zero: what is too large becomes the largest finite value, infinity stays.
uint32_t chop_bf16(float x) { return std::bit_cast<uint32_t>(x) >> 16 | (x != x ? 0x40u : 0u); }
uint32_t chop_f16(float x) {
  uint32_t bits = float_to_bits(Kind::f16, x);
  bool away = std::fabs(bits_to_float(Kind::f16, bits)) > std::fabs(x);
  return away ? bits - 1 : bits;
}
template <Kind K>
void chop(Context& c, const Inst& i) {
  const float* a = c.at<float>(i.a);
  float* d = c.at<float>(i.out);
  for (uint32_t k = 0; k < i.lanes; k++) d[k] = bits_to_float(K, K == Kind::f16 ? chop_f16(a[k]) : chop_bf16(a[k]));
}
// tt.fp_to_fp: rounding 0 = toward zero, which GPUs have from f32 to f16 and bf16; 1 = nearest even. Widening needs
// none.
Kernel triton_float_to_float(const Signature& s) {
  auto rounding = s.op->integer("rounding", 1);
  bool narrows = memory_bytes(s.result) < memory_bytes(s.a);
  if (!rounding) return nullptr;
  if (*rounding == 1 || !narrows) return float_to_float(s);
  if (*rounding != 0 || s.operands != 1 || s.a != Kind::f32) return nullptr;
  return s.result == Kind::f16 ? chop<Kind::f16> : s.result == Kind::bf16 ? chop<Kind::bf16> : nullptr;
}

// Kinds whose arena form differs from their bits go through the bits.
void bitcast(Context& c, const Inst& i) {
  uint32_t w = memory_bytes(i.kind);
  c.scratch.resize(uint64_t{i.lanes} * w);
  uint8_t* bits = c.scratch.data();
  if (is_small_float(i.source))
    pack_floats(i.source, c.at<float>(i.a), bits, i.lanes);
  else
    std::memcpy(bits, c.at<uint8_t>(i.a), uint64_t{i.lanes} * w);
  if (is_small_float(i.kind))
    unpack_floats(i.kind, bits, c.at<float>(i.out), i.lanes);
  else
    std::memcpy(c.at<uint8_t>(i.out), bits, uint64_t{i.lanes} * w);
}
Kernel bit_cast(const Signature& s) {
  bool known = s.a != Kind::other && s.result != Kind::other && s.operands == 1;
  bool bits = (s.a == Kind::i1) == (s.result == Kind::i1);  // a byte is not a bit
  return known && bits && memory_bytes(s.a) == memory_bytes(s.result) ? bitcast : nullptr;
}

constexpr LaneRow kRows[] = {
    {"arith.extsi", widen_signed},      {"arith.extui", widen_unsigned},        {"arith.trunci", widen_signed},
    {"arith.index_cast", widen_signed}, {"arith.sitofp", int_to_float},         {"arith.uitofp", unsigned_to_float},
    {"arith.fptosi", float_to_int},     {"arith.fptoui", float_to_unsigned},    {"arith.extf", float_to_float},
    {"arith.truncf", float_to_float},   {"tt.fp_to_fp", triton_float_to_float}, {"tt.bitcast", bit_cast},
    {"arith.bitcast", bit_cast},        {"arith.index_castui", widen_unsigned}, {"arith.convertf", float_to_float},
};

}  // namespace

std::span<const LaneRow> cast_rows() { return kRows; }

}  // namespace kbx::ir
