// libdevice functions by symbol. "__nv_", an optional "fast_", and the letter of the float form are dropped first:
// __nv_expf, __nv_fast_expf, __nv_exp are one row. The host's libm computes them; the GPU's last ulps differ.
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

#define KBX_IR_FN1(name, expr) \
  struct name {                \
    template <class T>         \
    T operator()(T x) const {  \
      return T(expr);          \
    }                          \
  };
#define KBX_IR_FN2(name, expr)     \
  struct name {                    \
    template <class T>             \
    T operator()(T x, T y) const { \
      return T(expr);              \
    }                              \
  };
#define KBX_IR_TEST(name, expr)     \
  struct name {                     \
    template <class T>              \
    int32_t operator()(T x) const { \
      return expr;                  \
    }                               \
  };
KBX_IR_FN1(Acos, std::acos(x))
KBX_IR_FN1(Acosh, std::acosh(x))
KBX_IR_FN1(Asin, std::asin(x))
KBX_IR_FN1(Asinh, std::asinh(x))
KBX_IR_FN1(Atan, std::atan(x))
KBX_IR_FN1(Atanh, std::atanh(x))
KBX_IR_FN1(Cbrt, std::cbrt(x))
KBX_IR_FN1(Ceil, std::ceil(x))
KBX_IR_FN1(Cos, std::cos(x))
KBX_IR_FN1(Cosh, std::cosh(x))
KBX_IR_FN1(CosPi, std::cos(std::numbers::pi* std::fmod(double(x), 2.0)))
KBX_IR_FN1(Erf, std::erf(x))
KBX_IR_FN1(Erfc, std::erfc(x))
KBX_IR_FN1(Exp, std::exp(x))
KBX_IR_FN1(Exp10, std::pow(10.0, double(x)))
KBX_IR_FN1(Exp2, std::exp2(x))
KBX_IR_FN1(Expm1, std::expm1(x))
KBX_IR_FN1(Fabs, std::fabs(x))
KBX_IR_FN1(Floor, std::floor(x))
KBX_IR_FN1(Log, std::log(x))
KBX_IR_FN1(Log10, std::log10(x))
KBX_IR_FN1(Log1p, std::log1p(x))
KBX_IR_FN1(Log2, std::log2(x))
KBX_IR_FN1(Logb, std::logb(x))
KBX_IR_FN1(NormCdf, 0.5 * std::erfc(-double(x) * (std::numbers::sqrt2 / 2)))
KBX_IR_FN1(Rcbrt, T(1) / std::cbrt(x))
KBX_IR_FN1(Reciprocal, T(1) / x)
KBX_IR_FN1(Rint, std::nearbyint(x))
KBX_IR_FN1(Round, std::round(x))
KBX_IR_FN1(Rsqrt, T(1) / std::sqrt(x))
KBX_IR_FN1(Saturate, x > 0 ? (x > 1 ? T(1) : x) : T(0))
KBX_IR_FN1(Sin, std::sin(x))
KBX_IR_FN1(Sinh, std::sinh(x))
KBX_IR_FN1(SinPi, std::sin(std::numbers::pi* std::fmod(double(x), 2.0)))
KBX_IR_FN1(Sqrt, std::sqrt(x))
KBX_IR_FN1(Tan, std::tan(x))
KBX_IR_FN1(Tanh, std::tanh(x))
KBX_IR_FN1(Tgamma, std::tgamma(x))
KBX_IR_FN1(Trunc, std::trunc(x))
KBX_IR_FN1(J0, ::j0(x))
KBX_IR_FN1(J1, ::j1(x))
KBX_IR_FN1(Y0, ::y0(x))
KBX_IR_FN1(Y1, ::y1(x))
KBX_IR_FN2(AddRn, x + y)
KBX_IR_FN2(Atan2, std::atan2(x, y))
KBX_IR_FN2(CopySign, std::copysign(x, y))
KBX_IR_FN2(DivRn, x / y)
KBX_IR_FN2(Fdim, std::fdim(x, y))
KBX_IR_FN2(Fmod, std::fmod(x, y))
KBX_IR_FN2(Hypot, std::hypot(x, y))
KBX_IR_FN2(MulRn, x* y)
KBX_IR_FN2(NextAfter, std::nextafter(x, y))
KBX_IR_FN2(Pow, std::pow(x, y))
KBX_IR_FN2(Remainder, std::remainder(x, y))
KBX_IR_FN2(Rhypot, T(1) / std::hypot(x, y))
KBX_IR_FN2(SubRn, x - y)
KBX_IR_TEST(IsFinite, std::isfinite(x))
KBX_IR_TEST(IsInf, std::isinf(x))
KBX_IR_TEST(IsNan, x != x)
KBX_IR_TEST(SignBit, std::signbit(x))
#undef KBX_IR_FN1
#undef KBX_IR_FN2
#undef KBX_IR_TEST

struct Lgamma {  // lgamma_r: the plain one writes a global
  template <class T>
  T operator()(T x) const {
    int sign = 0;
    return T(::lgamma_r(double(x), &sign));
  }
};
struct ErfInverse {  // Newton in double on a rough start (Winitzki 2008)
  template <class T>
  T operator()(T y) const {
    double v = y;
    if (!(std::fabs(v) < 1)) return std::fabs(v) == 1 ? T(std::copysign(INFINITY, v)) : T(NAN);
    double w = std::log1p(-v * v), q = 2 / (std::numbers::pi * 0.147) + w / 2;
    double x = std::copysign(std::sqrt(std::sqrt(q * q - w / 0.147) - q), v);
    for (int k = 0; k < 4; k++) x -= (std::erf(x) - v) / (2 * std::numbers::inv_sqrtpi * std::exp(-x * x));
    return T(x);
  }
};
struct Fma {
  template <class T>
  T operator()(T x, T y, T z) const {
    return std::fma(x, y, z);
  }
};

template <class F>
Kernel test(const Signature& s) {
  if (s.operands != 1 || s.result != Kind::i32) return nullptr;
  return s.a == Kind::f64 ? map1<int32_t, double, F> : s.a == Kind::f32 ? map1<int32_t, float, F> : nullptr;
}
template <class T>
void power_int(Context& c, const Inst& i) {
  for (uint32_t k = 0; k < i.lanes; k++)
    c.at<T>(i.out)[k] = T(std::pow(double(c.at<T>(i.a)[k]), double(c.at<int32_t>(i.b)[k])));
}
template <class T>
void scale_by_power(Context& c, const Inst& i) {
  for (uint32_t k = 0; k < i.lanes; k++) c.at<T>(i.out)[k] = std::ldexp(c.at<T>(i.a)[k], c.at<int32_t>(i.b)[k]);
}
bool takes_int(const Signature& s) { return s.operands == 2 && s.a == s.result && s.b == Kind::i32; }
Kernel powi(const Signature& s) {
  if (!takes_int(s)) return nullptr;
  return s.a == Kind::f64 ? power_int<double> : s.a == Kind::f32 ? power_int<float> : nullptr;
}
Kernel ldexp(const Signature& s) {
  if (!takes_int(s)) return nullptr;
  return s.a == Kind::f64 ? scale_by_power<double> : s.a == Kind::f32 ? scale_by_power<float> : nullptr;
}

constexpr LaneRow kRows[] = {
    {"acos", pick_float1<Acos>},
    {"acosh", pick_float1<Acosh>},
    {"add_rn", pick_float2<AddRn>},
    {"asin", pick_float1<Asin>},
    {"asinh", pick_float1<Asinh>},
    {"atan", pick_float1<Atan>},
    {"atan2", pick_float2<Atan2>},
    {"atanh", pick_float1<Atanh>},
    {"cbrt", pick_float1<Cbrt>},
    {"ceil", pick_float1<Ceil>},
    {"copysign", pick_float2<CopySign>},
    {"cos", pick_float1<Cos>},
    {"cosh", pick_float1<Cosh>},
    {"cospi", pick_float1<CosPi>},
    {"div_rn", pick_float2<DivRn>},
    {"divide", pick_float2<DivRn>},
    {"erf", pick_float1<Erf>},
    {"erfc", pick_float1<Erfc>},
    {"erfinv", pick_float1<ErfInverse>},
    {"exp", pick_float1<Exp>},
    {"exp10", pick_float1<Exp10>},
    {"exp2", pick_float1<Exp2>},
    {"expm1", pick_float1<Expm1>},
    {"fabs", pick_float1<Fabs>},
    {"fdim", pick_float2<Fdim>},
    {"fdividef", pick_float2<DivRn>},
    {"finite", test<IsFinite>},
    {"floor", pick_float1<Floor>},
    {"fma", pick_float3<Fma>},
    {"fma_rn", pick_float3<Fma>},
    {"fmax", pick_float2<MaxNumber>},
    {"fmin", pick_float2<MinNumber>},
    {"fmod", pick_float2<Fmod>},
    {"hypot", pick_float2<Hypot>},
    {"isfinited", test<IsFinite>},
    {"isinf", test<IsInf>},
    {"isnan", test<IsNan>},
    {"j0", pick_float1<J0>},
    {"j1", pick_float1<J1>},
    {"ldexp", ldexp},
    {"lgamma", pick_float1<Lgamma>},
    {"log", pick_float1<Log>},
    {"log10", pick_float1<Log10>},
    {"log1p", pick_float1<Log1p>},
    {"log2", pick_float1<Log2>},
    {"logb", pick_float1<Logb>},
    {"mul_rn", pick_float2<MulRn>},
    {"nearbyint", pick_float1<Rint>},
    {"nextafter", pick_float2<NextAfter>},
    {"normcdf", pick_float1<NormCdf>},
    {"pow", pick_float2<Pow>},
    {"powi", powi},
    {"rcbrt", pick_float1<Rcbrt>},
    {"rcp_rn", pick_float1<Reciprocal>},
    {"remainder", pick_float2<Remainder>},
    {"rhypot", pick_float2<Rhypot>},
    {"rint", pick_float1<Rint>},
    {"round", pick_float1<Round>},
    {"rsqrt", pick_float1<Rsqrt>},
    {"saturate", pick_float1<Saturate>},
    {"signbit", test<SignBit>},
    {"sin", pick_float1<Sin>},
    {"sinh", pick_float1<Sinh>},
    {"sinpi", pick_float1<SinPi>},
    {"sqrt", pick_float1<Sqrt>},
    {"sqrt_rn", pick_float1<Sqrt>},
    {"sub_rn", pick_float2<SubRn>},
    {"tan", pick_float1<Tan>},
    {"tanh", pick_float1<Tanh>},
    {"tgamma", pick_float1<Tgamma>},
    {"trunc", pick_float1<Trunc>},
    {"y0", pick_float1<Y0>},
    {"y1", pick_float1<Y1>},
};

const LaneRow* find_row(std::string_view name) {
  for (const auto& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

Kernel find_libdevice(std::string_view symbol, const Signature& signature) {
  std::string_view s = symbol;
  if (s.starts_with("__nv_")) s.remove_prefix(5);
  if (Kernel kernel = find_libdevice_exact(s, signature)) return kernel;
  if (s.starts_with("fast_")) s.remove_prefix(5);
  if (s.size() < 2) return nullptr;
  std::string_view shorter = s.substr(0, s.size() - 1);
  bool suffix = s.ends_with('f') || s.ends_with('d');      // expf, isnand
  bool prefix = s.starts_with('f') || s.starts_with('d');  // fadd_rn, dadd_rn, fsqrt_rn
  for (std::string_view name : {s, suffix ? shorter : s, prefix ? s.substr(1) : s})
    if (const LaneRow* row = find_row(name)) return row->pick(signature);
  return nullptr;
}

}  // namespace kbx::ir
