// The math dialect lane by lane. exp is our own polynomial because it is the one that kernels run most.
#include <bit>
#include <cmath>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

// e^x within 1 ulp: x = n ln2 + r, a polynomial on |r| <= ln2/2 (Taylor to degree 7: error below 2^-27), then two
// exact scalings by powers of two so that subnormal results round once. Written to be vectorised.
struct Exp {
  double operator()(double x) const { return std::exp(x); }
  float operator()(float x) const {
    float v = x < -104.0f ? -104.0f : x;
    v = v > 89.0f ? 89.0f : v;
    constexpr float kMagic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
    float n = (v * 1.44269504f + kMagic) - kMagic;
    float r = std::fma(n, -0.693145752f, v);  // ln2 in two parts
    r = std::fma(n, -1.42860677e-6f, r);
    float p = 1.0f / 5040;
    p = std::fma(p, r, 1.0f / 720);
    p = std::fma(p, r, 1.0f / 120);
    p = std::fma(p, r, 1.0f / 24);
    p = std::fma(p, r, 1.0f / 6);
    p = std::fma(p, r, 0.5f);
    p = std::fma(p, r, 1.0f);
    p = std::fma(p, r, 1.0f);
    auto e = static_cast<int32_t>(v == v ? n : 0.0f);
    int32_t half = e >> 1, rest = e - half;
    float s1 = std::bit_cast<float>((half + 127) << 23), s2 = std::bit_cast<float>((rest + 127) << 23);
    return p * s1 * s2;
  }
};

#define KBX_IR_MATH1(name, expr) \
  struct name {                  \
    template <class T>           \
    T operator()(T x) const {    \
      return T(expr);            \
    }                            \
  };
KBX_IR_MATH1(Exp2, std::exp2(x))
KBX_IR_MATH1(Log, std::log(x))
KBX_IR_MATH1(Log2, std::log2(x))
KBX_IR_MATH1(Log10, std::log10(x))
KBX_IR_MATH1(Log1p, std::log1p(x))
KBX_IR_MATH1(Expm1, std::expm1(x))
KBX_IR_MATH1(Sin, std::sin(x))
KBX_IR_MATH1(Cos, std::cos(x))
KBX_IR_MATH1(Tan, std::tan(x))
KBX_IR_MATH1(Tanh, std::tanh(x))
KBX_IR_MATH1(Sqrt, std::sqrt(x))
KBX_IR_MATH1(Rsqrt, T(1) / std::sqrt(x))
KBX_IR_MATH1(Erf, std::erf(x))
KBX_IR_MATH1(Erfc, std::erfc(x))
KBX_IR_MATH1(Cbrt, std::cbrt(x))
KBX_IR_MATH1(Acos, std::acos(x))
KBX_IR_MATH1(Acosh, std::acosh(x))
KBX_IR_MATH1(Asin, std::asin(x))
KBX_IR_MATH1(Asinh, std::asinh(x))
KBX_IR_MATH1(Atan, std::atan(x))
KBX_IR_MATH1(Atanh, std::atanh(x))
KBX_IR_MATH1(Cosh, std::cosh(x))
KBX_IR_MATH1(Sinh, std::sinh(x))
KBX_IR_MATH1(Floor, std::floor(x))
KBX_IR_MATH1(Ceil, std::ceil(x))
KBX_IR_MATH1(Trunc, std::trunc(x))
KBX_IR_MATH1(Round, std::round(x))
KBX_IR_MATH1(RoundEven, std::nearbyint(x))
#undef KBX_IR_MATH1

struct Fma {
  template <class T>
  T operator()(T x, T y, T z) const {
    return std::fma(x, y, z);
  }
};
// For f16 and bf16, which are rounded once, afterwards. The sum's error is Knuth's.
struct FmaToOdd {
  float operator()(float x, float y, float z) const {
    double product = static_cast<double>(x) * y, sum = product + z, part = sum - product;
    return to_odd(sum, (product - (sum - part)) + (z - part));
  }
};
Kernel fma(const Signature& s) {
  return s.uniform(3) && is_small_float(s.a) ? map3<float, FmaToOdd> : pick_float3<Fma>(s);
}
struct Power {
  template <class T>
  T operator()(T x, T y) const {
    return std::pow(x, y);
  }
};
struct CopySign {
  template <class T>
  T operator()(T x, T y) const {
    return std::copysign(x, y);
  }
};
struct Atan2 {
  template <class T>
  T operator()(T x, T y) const {
    return std::atan2(x, y);
  }
};

// Tests give one bit.
struct IsNan {
  template <class T>
  uint8_t operator()(T x) const {
    return x != x;
  }
};
struct IsInf {
  template <class T>
  uint8_t operator()(T x) const {
    return std::isinf(x);
  }
};
struct IsFinite {
  template <class T>
  uint8_t operator()(T x) const {
    return std::isfinite(x);
  }
};
template <class F>
Kernel test(const Signature& s) {
  if (s.operands != 1 || s.result != Kind::i1) return nullptr;
  return s.a == Kind::f64 ? map1<uint8_t, double, F> : is_float(s.a) ? map1<uint8_t, float, F> : nullptr;
}

// Counts of bits.
struct CountOnes {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(std::popcount(x));
  }
};
struct CountLeading {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(std::countl_zero(x));
  }
};
struct CountTrailing {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(std::countr_zero(x));
  }
};
template <class F>
Kernel bits(const Signature& s) {
  if (!s.uniform(1)) return nullptr;
  switch (s.a) {
    case Kind::i8:
      return map1<uint8_t, uint8_t, F>;
    case Kind::i16:
      return map1<uint16_t, uint16_t, F>;
    case Kind::i32:
      return map1<uint32_t, uint32_t, F>;
    case Kind::i64:
      return map1<uint64_t, uint64_t, F>;
    default:
      return nullptr;
  }
}

constexpr LaneRow kRows[] = {
    {"math.isnan", test<IsNan>},
    {"math.isinf", test<IsInf>},
    {"math.isfinite", test<IsFinite>},
    {"math.ctpop", bits<CountOnes>},
    {"math.ctlz", bits<CountLeading>},
    {"math.cttz", bits<CountTrailing>},
    {"math.erfc", pick_float1<Erfc>, 1},
    {"math.cbrt", pick_float1<Cbrt>, 1},
    {"math.acos", pick_float1<Acos>, 1},
    {"math.acosh", pick_float1<Acosh>, 1},
    {"math.asin", pick_float1<Asin>, 1},
    {"math.asinh", pick_float1<Asinh>, 1},
    {"math.atan", pick_float1<Atan>, 1},
    {"math.atanh", pick_float1<Atanh>, 1},
    {"math.cosh", pick_float1<Cosh>, 1},
    {"math.sinh", pick_float1<Sinh>, 1},
    {"math.exp", pick_float1<Exp>, 1},
    {"math.exp2", pick_float1<Exp2>, 1},
    {"math.log", pick_float1<Log>, 1},
    {"math.log2", pick_float1<Log2>, 1},
    {"math.log10", pick_float1<Log10>, 1},
    {"math.log1p", pick_float1<Log1p>, 1},
    {"math.expm1", pick_float1<Expm1>, 1},
    {"math.sin", pick_float1<Sin>, 1},
    {"math.cos", pick_float1<Cos>, 1},
    {"math.tan", pick_float1<Tan>, 1},
    {"math.tanh", pick_float1<Tanh>, 1},
    {"math.sqrt", pick_float1<Sqrt>, 1},
    {"tt.precise_sqrt", pick_float1<Sqrt>, 1},
    {"math.rsqrt", pick_float1<Rsqrt>, 1},
    {"math.erf", pick_float1<Erf>, 1},
    {"math.floor", pick_float1<Floor>, 1},
    {"math.ceil", pick_float1<Ceil>, 1},
    {"math.trunc", pick_float1<Trunc>, 1},
    {"math.round", pick_float1<Round>, 1},
    {"math.roundeven", pick_float1<RoundEven>, 1},
    {"math.fma", fma, 2},
    {"math.powf", pick_float2<Power>, 1},
    {"math.copysign", pick_float2<CopySign>, 1},
    {"math.atan2", pick_float2<Atan2>, 1},
};

}  // namespace

std::span<const LaneRow> math_rows() { return kRows; }

}  // namespace kbx::ir
