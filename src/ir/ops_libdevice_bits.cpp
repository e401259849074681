// libdevice functions on bits and integers, conversions, and arithmetic with directed rounding, by their full symbols.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

// ---- a kernel from a function of up to three kinds
template <class T>
constexpr Kind kKind = std::is_same_v<T, float>    ? Kind::f32
                       : std::is_same_v<T, double> ? Kind::f64
                       : sizeof(T) == 4            ? Kind::i32
                                                   : Kind::i64;
// The host's rounding mode is the thread's; operands and results pass a barrier so that nothing is computed outside it.
template <class T>
T held(T v) {
  asm volatile("" : "+m"(v) : : "memory");
  return v;
}
template <auto F, int kMode, class D, class... S>
void directed(Context& c, const Inst& i) {
  int before = std::fegetround();
  if (kMode != FE_TONEAREST) std::fesetround(kMode);
  const uint32_t offsets[] = {i.a, i.b, i.c};
  D* d = c.at<D>(i.out);
  auto run = [&]<size_t... K>(std::index_sequence<K...>) {
    for (uint32_t k = 0; k < i.lanes; k++) d[k] = held(static_cast<D>(F(held(c.at<S>(offsets[K])[k])...)));
  };
  run(std::index_sequence_for<S...>{});
  if (kMode != FE_TONEAREST) std::fesetround(before);
}
template <auto F, int kMode, class D, class... S>
Kernel with_mode(const Signature& s) {
  const Kind kinds[] = {s.a, s.b, s.c}, want[] = {kKind<S>...};
  if (s.operands != sizeof...(S) || s.result != kKind<D>) return nullptr;
  for (size_t k = 0; k < sizeof...(S); k++)
    if (kinds[k] != want[k]) return nullptr;
  return directed<F, kMode, D, S...>;
}
template <auto F, class D, class... S>
Kernel plain(const Signature& s) {
  return with_mode<F, FE_TONEAREST, D, S...>(s);
}

// ---- arithmetic
constexpr auto kAdd = [](auto x, auto y) { return x + y; };
constexpr auto kSub = [](auto x, auto y) { return x - y; };
constexpr auto kMul = [](auto x, auto y) { return x * y; };
constexpr auto kDiv = [](auto x, auto y) { return x / y; };
constexpr auto kRcp = [](auto x) { return decltype(x)(1) / x; };
constexpr auto kSqrt = [](auto x) { return std::sqrt(x); };
constexpr auto kFma = [](auto x, auto y, auto z) { return std::fma(x, y, z); };
constexpr auto kSame = [](auto x) { return x; };
template <class D, class S>
D bits_as(S x) {
  return std::bit_cast<D>(x);
}

// Rounded to an integer by the mode in force, then saturated; NaN gives 0.
template <class D>
struct ToInteger {
  template <class S>
  D operator()(S x) const {
    using L = std::numeric_limits<D>;
    double v = std::rint(static_cast<double>(x));
    if (v != v) return 0;
    return v >= static_cast<double>(L::max())   ? L::max()
           : v <= static_cast<double>(L::min()) ? L::min()
                                                : static_cast<D>(v);
  }
};
// 64-bit integers are exact in long double.
constexpr auto kFromInteger = [](auto x) { return static_cast<long double>(x); };

// ---- integers
constexpr auto kAbs = [](auto x) {
  return x < 0 ? decltype(x)(0 - static_cast<std::make_unsigned_t<decltype(x)>>(x)) : x;
};
constexpr auto kReverse = [](auto x) {
  decltype(x) r = 0;
  for (size_t k = 0; k < 8 * sizeof x; k++) r |= (x >> k & 1) << (8 * sizeof x - 1 - k);
  return r;
};
constexpr auto kLeading = [](auto x) { return std::countl_zero(x); };
constexpr auto kOnes = [](auto x) { return std::popcount(x); };
constexpr auto kFirst = [](auto x) { return x ? std::countr_zero(x) + 1 : 0; };
constexpr auto kHalfSum = [](auto x, auto y) { return (int64_t{x} + int64_t{y}) >> 1; };
constexpr auto kHalfSumUp = [](auto x, auto y) { return (int64_t{x} + int64_t{y} + 1) >> 1; };
constexpr auto kMul24 = [](int32_t x, int32_t y) { return static_cast<int32_t>(int64_t{x << 8 >> 8} * (y << 8 >> 8)); };
constexpr auto kUnsignedMul24 = [](uint32_t x, uint32_t y) { return (x & 0xffffff) * (y & 0xffffff); };
constexpr auto kHigh32 = [](auto x, auto y) {
  using W = std::conditional_t<std::is_signed_v<decltype(x)>, int64_t, uint64_t>;
  return static_cast<decltype(x)>((W{x} * W{y}) >> 32);
};
constexpr auto kHigh64 = [](auto x, auto y) {
  __extension__ using Signed = __int128;
  __extension__ using Unsigned = unsigned __int128;
  using W = std::conditional_t<std::is_signed_v<decltype(x)>, Signed, Unsigned>;
  return static_cast<decltype(x)>((W{x} * W{y}) >> 64);
};
constexpr auto kSad = [](auto x, auto y, uint32_t z) {
  int64_t d = int64_t{x} - int64_t{y};
  return static_cast<uint32_t>(d < 0 ? -d : d) + z;
};
uint32_t byte_perm(uint32_t a, uint32_t b, uint32_t s) {
  uint64_t from = a | uint64_t{b} << 32;
  uint32_t r = 0;
  for (int k = 0; k < 4; k++) r |= static_cast<uint32_t>(from >> (8 * (s >> (4 * k) & 7)) & 255) << (8 * k);
  return r;
}
double from_words(uint32_t high, uint32_t low) { return std::bit_cast<double>(uint64_t{high} << 32 | low); }
uint32_t high_word(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
uint32_t low_word(uint64_t x) { return static_cast<uint32_t>(x); }

// ---- functions
// erfc^-1: a start of Abramowitz and Stegun 26.2.22, then Halley's steps.
double erfc_inverse(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
  double p = y < 1 ? y : 2 - y, t = std::sqrt(-2 * std::log(p / 2));
  double x = 0.70711 * (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)));
  for (int k = 0; k < 3; k++) {
    double error = std::erfc(x) - p;
    x += error / (1.1283791670955126 * std::exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
double normal_inverse(double p) { return -1.4142135623730951 * erfc_inverse(2 * p); }
// e^(x^2) erfc(x); far out by its asymptotic series.
double erfc_scaled(double x) {
  if (x < 10)
    return static_cast<double>(std::exp(static_cast<long double>(x) * x) * std::erfc(static_cast<long double>(x)));
  double term = 1, sum = 1;
  for (int k = 1; k < 20; k++) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * 1.7724538509055160);
}
double bessel_i0(double x) { return x != x ? x : std::cyl_bessel_i(0.0, std::fabs(x)); }
double bessel_i1(double x) { return x != x ? x : std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }
constexpr auto kNorm3 = [](auto x, auto y, auto z) { return std::hypot(x, y, z); };
constexpr auto kInverseNorm3 = [](auto x, auto y, auto z) { return decltype(x)(1) / std::hypot(x, y, z); };
constexpr auto kExponent = [](auto x) {
  return std::isnan(x) ? INT32_MIN : std::ilogb(x) == FP_ILOGB0 ? INT32_MIN : std::ilogb(x);
};
constexpr auto kScale = [](auto x, int32_t n) { return std::scalbn(x, n); };
constexpr auto kNearest = [](auto x) { return ToInteger<int64_t>{}(x); };
constexpr auto kAwayFromZero = [](auto x) { return ToInteger<int64_t>{}(std::round(x)); };
double bessel_jn(int32_t n, double x) { return std::abs(n) > 100000 ? NAN : ::jn(n, x); }
double bessel_yn(int32_t n, double x) { return std::abs(n) > 100000 ? NAN : ::yn(n, x); }

#define KBX_MODES(name, F, ...)                                                                                \
  {name "_rn", with_mode<F, FE_TONEAREST, __VA_ARGS__>}, {name "_rd", with_mode<F, FE_DOWNWARD, __VA_ARGS__>}, \
      {name "_ru", with_mode<F, FE_UPWARD, __VA_ARGS__>}, {                                                    \
    name "_rz", with_mode<F, FE_TOWARDZERO, __VA_ARGS__>                                                       \
  }
constexpr LaneRow kRows[] = {
    KBX_MODES("fadd", kAdd, float, float, float),
    KBX_MODES("dadd", kAdd, double, double, double),
    KBX_MODES("fsub", kSub, float, float, float),
    KBX_MODES("dsub", kSub, double, double, double),
    KBX_MODES("fmul", kMul, float, float, float),
    KBX_MODES("dmul", kMul, double, double, double),
    KBX_MODES("fdiv", kDiv, float, float, float),
    KBX_MODES("ddiv", kDiv, double, double, double),
    KBX_MODES("frcp", kRcp, float, float),
    KBX_MODES("drcp", kRcp, double, double),
    KBX_MODES("fsqrt", kSqrt, float, float),
    KBX_MODES("dsqrt", kSqrt, double, double),
    KBX_MODES("fmaf", kFma, float, float, float, float),
    KBX_MODES("fma", kFma, double, double, double, double),
    KBX_MODES("double2float", kSame, float, double),
    KBX_MODES("int2float", kFromInteger, float, int32_t),
    KBX_MODES("uint2float", kFromInteger, float, uint32_t),
    KBX_MODES("ll2float", kFromInteger, float, int64_t),
    KBX_MODES("ull2float", kFromInteger, float, uint64_t),
    KBX_MODES("ll2double", kFromInteger, double, int64_t),
    KBX_MODES("ull2double", kFromInteger, double, uint64_t),
    KBX_MODES("float2int", ToInteger<int32_t>{}, int32_t, float),
    KBX_MODES("float2uint", ToInteger<uint32_t>{}, uint32_t, float),
    KBX_MODES("float2ll", ToInteger<int64_t>{}, int64_t, float),
    KBX_MODES("float2ull", ToInteger<uint64_t>{}, uint64_t, float),
    KBX_MODES("double2int", ToInteger<int32_t>{}, int32_t, double),
    KBX_MODES("double2uint", ToInteger<uint32_t>{}, uint32_t, double),
    KBX_MODES("double2ll", ToInteger<int64_t>{}, int64_t, double),
    KBX_MODES("double2ull", ToInteger<uint64_t>{}, uint64_t, double),
    {"int2double_rn", plain<kFromInteger, double, int32_t>},
    {"uint2double_rn", plain<kFromInteger, double, uint32_t>},
    {"float_as_int", plain<bits_as<int32_t, float>, int32_t, float>},
    {"float_as_uint", plain<bits_as<int32_t, float>, int32_t, float>},
    {"int_as_float", plain<bits_as<float, int32_t>, float, int32_t>},
    {"uint_as_float", plain<bits_as<float, int32_t>, float, int32_t>},
    {"double_as_longlong", plain<bits_as<int64_t, double>, int64_t, double>},
    {"longlong_as_double", plain<bits_as<double, int64_t>, double, int64_t>},
    {"hiloint2double", plain<from_words, double, uint32_t, uint32_t>},
    {"double2hiint", plain<[](double x) { return high_word(std::bit_cast<uint64_t>(x)); }, uint32_t, double>},
    {"double2loint", plain<[](double x) { return low_word(std::bit_cast<uint64_t>(x)); }, uint32_t, double>},
    {"abs", plain<kAbs, int32_t, int32_t>},
    {"llabs", plain<kAbs, int64_t, int64_t>},
    {"brev", plain<kReverse, uint32_t, uint32_t>},
    {"brevll", plain<kReverse, uint64_t, uint64_t>},
    {"clz", plain<kLeading, int32_t, uint32_t>},
    {"clzll", plain<kLeading, int32_t, uint64_t>},
    {"popc", plain<kOnes, int32_t, uint32_t>},
    {"popcll", plain<kOnes, int32_t, uint64_t>},
    {"ffs", plain<kFirst, int32_t, uint32_t>},
    {"ffsll", plain<kFirst, int32_t, uint64_t>},
    {"byte_perm", plain<byte_perm, uint32_t, uint32_t, uint32_t, uint32_t>},
    {"hadd", plain<kHalfSum, int32_t, int32_t, int32_t>},
    {"uhadd", plain<kHalfSum, uint32_t, uint32_t, uint32_t>},
    {"rhadd", plain<kHalfSumUp, int32_t, int32_t, int32_t>},
    {"urhadd", plain<kHalfSumUp, uint32_t, uint32_t, uint32_t>},
    {"mul24", plain<kMul24, int32_t, int32_t, int32_t>},
    {"umul24", plain<kUnsignedMul24, uint32_t, uint32_t, uint32_t>},
    {"mulhi", plain<kHigh32, int32_t, int32_t, int32_t>},
    {"umulhi", plain<kHigh32, uint32_t, uint32_t, uint32_t>},
    {"mul64hi", plain<kHigh64, int64_t, int64_t, int64_t>},
    {"umul64hi", plain<kHigh64, uint64_t, uint64_t, uint64_t>},
    {"sad", plain<kSad, uint32_t, int32_t, int32_t, uint32_t>},
    {"usad", plain<kSad, uint32_t, uint32_t, uint32_t, uint32_t>},
    {"erfcinvf", plain<erfc_inverse, float, float>},
    {"erfcinv", plain<erfc_inverse, double, double>},
    {"normcdfinvf", plain<normal_inverse, float, float>},
    {"normcdfinv", plain<normal_inverse, double, double>},
    {"erfcxf", plain<erfc_scaled, float, float>},
    {"erfcx", plain<erfc_scaled, double, double>},
    {"cyl_bessel_i0f", plain<bessel_i0, float, float>},
    {"cyl_bessel_i0", plain<bessel_i0, double, double>},
    {"cyl_bessel_i1f", plain<bessel_i1, float, float>},
    {"cyl_bessel_i1", plain<bessel_i1, double, double>},
    {"jnf", plain<bessel_jn, float, int32_t, float>},
    {"jn", plain<bessel_jn, double, int32_t, double>},
    {"ynf", plain<bessel_yn, float, int32_t, float>},
    {"yn", plain<bessel_yn, double, int32_t, double>},
    {"norm3df", plain<kNorm3, float, float, float, float>},
    {"norm3d", plain<kNorm3, double, double, double, double>},
    {"rnorm3df", plain<kInverseNorm3, float, float, float, float>},
    {"rnorm3d", plain<kInverseNorm3, double, double, double, double>},
    {"ilogbf", plain<kExponent, int32_t, float>},
    {"ilogb", plain<kExponent, int32_t, double>},
    {"scalbnf", plain<kScale, float, float, int32_t>},
    {"scalbn", plain<kScale, double, double, int32_t>},
    {"llrintf", plain<kNearest, int64_t, float>},
    {"llrint", plain<kNearest, int64_t, double>},
    {"llroundf", plain<kAwayFromZero, int64_t, float>},
    {"llround", plain<kAwayFromZero, int64_t, double>},
    {"frsqrt_rn", plain<[](float x) { return 1 / std::sqrt(static_cast<double>(x)); }, float, float>},
};
#undef KBX_MODES

}  // namespace

Kernel find_libdevice_exact(std::string_view name, const Signature& signature) {
  for (const auto& row : kRows)
    if (row.name == name) return row.pick(signature);
  return nullptr;
}

}  // namespace kbx::ir
