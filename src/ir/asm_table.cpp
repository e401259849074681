// The instructions of PTX that inline assembly may use. Approximate ones are computed exactly, so that a GPU's result
// lies within the instruction's own error.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "ir/asm_code.h"
#include "ir/lanes.h"

namespace kbx::ir {
namespace {

// ---- types: bits <-> a value to compute with
template <class T>
struct Integer {
  using Value = std::conditional_t<sizeof(T) == 2 && std::is_unsigned_v<T>, uint32_t, T>;  // products must not overflow
  static constexpr uint8_t kBits = 8 * sizeof(T);
  static Value get(uint64_t v) { return static_cast<T>(v); }
  static uint64_t put(Value v) { return static_cast<std::make_unsigned_t<T>>(v); }
};
struct F32 {
  using Value = float;
  static constexpr uint8_t kBits = 32;
  static float get(uint64_t v) { return std::bit_cast<float>(static_cast<uint32_t>(v)); }
  static uint64_t put(float v) { return std::bit_cast<uint32_t>(v); }
};
struct F64 {
  using Value = double;
  static constexpr uint8_t kBits = 64;
  static double get(uint64_t v) { return std::bit_cast<double>(v); }
  static uint64_t put(double v) { return std::bit_cast<uint64_t>(v); }
};
// Rounded to odd first, so that rounding again to fewer bits is right.
float odd_float(double v) {
  auto f = static_cast<float>(v);
  if (static_cast<double>(f) == v || v != v || std::isinf(f)) return f;
  auto u = std::bit_cast<uint32_t>(f);
  if (std::fabs(static_cast<double>(f)) > std::fabs(v)) u--;
  return std::bit_cast<float>(u | 1);
}
template <Kind K>
struct Small {  // f16, bf16, fp8: in double, where sums and products are exact
  using Value = double;
  static constexpr uint8_t kBits = K == Kind::f16 || K == Kind::bf16 ? 16 : 8;
  static double get(uint64_t v) { return bits_to_float(K, static_cast<uint32_t>(v & ((1u << kBits) - 1))); }
  static uint64_t put(double v) { return float_to_bits(K, odd_float(v)); }
};
using F16 = Small<Kind::f16>;
using BF16 = Small<Kind::bf16>;

// ---- shapes
template <class P, class F>
uint64_t one(const uint64_t* v) {
  return P::put(static_cast<typename P::Value>(F{}(P::get(v[0]))));
}
template <class P, class F>
uint64_t two(const uint64_t* v) {
  return P::put(static_cast<typename P::Value>(F{}(P::get(v[0]), P::get(v[1]))));
}
template <class P, class F>
uint64_t three(const uint64_t* v) {
  return P::put(static_cast<typename P::Value>(F{}(P::get(v[0]), P::get(v[1]), P::get(v[2]))));
}
// On both halves of 32 bits.
template <AsmRun Run>
uint64_t halves(const uint64_t* v) {
  uint64_t low[3], high[3];
  for (int k = 0; k < 3; k++) low[k] = v[k] & 0xffff, high[k] = v[k] >> 16 & 0xffff;
  return Run(low) | Run(high) << 16;
}
template <class P, class F>
uint64_t test(const uint64_t* v) {
  return F{}(P::get(v[0]), P::get(v[1]));
}
template <class P, class F>
uint64_t test_halves(const uint64_t* v) {
  uint64_t low[2] = {v[0] & 0xffff, v[1] & 0xffff}, high[2] = {v[0] >> 16, v[1] >> 16};
  return test<P, F>(low) | test<P, F>(high) << 1;
}

#define KBX_ASM_FN(name, expr)                     \
  struct name {                                    \
    auto operator()(auto x) const { return expr; } \
  };
KBX_ASM_FN(Neg, -x)
KBX_ASM_FN(Abs, x < 0 ? -x : x == 0 ? decltype(x)(0) : x)
KBX_ASM_FN(Rcp, 1 / x)
KBX_ASM_FN(Sqrt, std::sqrt(x))
KBX_ASM_FN(Rsqrt, 1 / std::sqrt(x))
KBX_ASM_FN(Ex2, std::exp2(x))
KBX_ASM_FN(Lg2, std::log2(x))
KBX_ASM_FN(Sin, std::sin(x))
KBX_ASM_FN(Cos, std::cos(x))
KBX_ASM_FN(Tanh, std::tanh(x))
KBX_ASM_FN(Not, ~x)
#define KBX_ASM_FN2(name, expr)       \
  struct name {                       \
    template <class T>                \
    auto operator()(T x, T y) const { \
      return expr;                    \
    }                                 \
  };
KBX_ASM_FN2(Add, x + y)
KBX_ASM_FN2(Sub, x - y)
KBX_ASM_FN2(Mul, x* y)
KBX_ASM_FN2(Div, x / y)
KBX_ASM_FN2(And, x& y)
KBX_ASM_FN2(Or, x | y)
KBX_ASM_FN2(Xor, x ^ y)
KBX_ASM_FN2(Max, x > y ? x : y)
KBX_ASM_FN2(Min, x < y ? x : y)
KBX_ASM_FN2(Eq, x == y)
KBX_ASM_FN2(Ne, x == x && y == y && x != y)
KBX_ASM_FN2(NotEq, x != y)
KBX_ASM_FN2(Lt, x < y)
KBX_ASM_FN2(Le, x <= y)
KBX_ASM_FN2(Gt, x > y)
KBX_ASM_FN2(Ge, x >= y)
#undef KBX_ASM_FN
#undef KBX_ASM_FN2
struct Fma {
  template <class T>
  T operator()(T x, T y, T z) const {
    return std::fma(x, y, z);
  }
};
struct Mad {
  template <class T>
  T operator()(T x, T y, T z) const {
    return static_cast<T>(x * y + z);
  }
};

uint64_t choose(const uint64_t* v) { return v[2] & 1 ? v[0] : v[1]; }
uint64_t same(const uint64_t* v) { return v[0]; }
uint64_t nothing(const uint64_t*) { return 0; }

// ---- conversions
template <class D, class S>
uint64_t convert(const uint64_t* v) {
  return D::put(static_cast<typename D::Value>(S::get(v[0])));
}
template <class D>
uint64_t pair_of_floats(const uint64_t* v) {  // the first operand becomes the upper half
  return D::put(F32::get(v[1])) | D::put(F32::get(v[0])) << D::kBits;
}
template <class D, class S>
uint64_t pair(const uint64_t* v) {
  uint64_t low = v[0] & ((1u << S::kBits) - 1), high = v[0] >> S::kBits;
  return D::put(S::get(low)) | D::put(S::get(high)) << D::kBits;
}
template <Kind K>
uint64_t chop(const uint64_t* v) {
  float x = F32::get(v[0]);
  uint32_t bits = float_to_bits(K, x);
  return std::fabs(bits_to_float(K, bits)) > std::fabs(x) ? bits - 1 : bits;
}
template <class T, bool kNearest>
uint64_t to_integer(const uint64_t* v) {
  double x = F32::get(v[0]);
  if (x != x) return 0;
  x = kNearest ? std::nearbyint(x) : std::trunc(x);
  x = std::clamp(x, static_cast<double>(std::numeric_limits<T>::min()),
                 static_cast<double>(std::numeric_limits<T>::max()));
  return Integer<T>::put(static_cast<T>(x));
}

using S16 = Integer<int16_t>;
using U16 = Integer<uint16_t>;
using S32 = Integer<int32_t>;
using U32 = Integer<uint32_t>;
using S64 = Integer<int64_t>;
using U64 = Integer<uint64_t>;
using E4M3 = Small<Kind::e4m3>;
using E5M2 = Small<Kind::e5m2>;

#define KBX_ASM_FLOATS(name, n, shape, F, ...)                                                                    \
  {name ".f32", 32, {__VA_ARGS__}, shape<F32, F>}, {name ".f16", 16, std::vector<uint8_t>(n, 16), shape<F16, F>}, \
      {name ".bf16", 16, std::vector<uint8_t>(n, 16), shape<BF16, F>},                                            \
      {name ".f16x2", 32, std::vector<uint8_t>(n, 32), halves<shape<F16, F>>}, {                                  \
    name ".bf16x2", 32, std::vector<uint8_t>(n, 32), halves<shape<BF16, F>>                                       \
  }
#define KBX_ASM_F64(name, n, shape, F) {name ".f64", 64, std::vector<uint8_t>(n, 64), shape<F64, F>}
#define KBX_ASM_SIGNED(name, n, shape, F)                              \
  {name ".s16", 16, std::vector<uint8_t>(n, 16), shape<S16, F>},       \
      {name ".s32", 32, std::vector<uint8_t>(n, 32), shape<S32, F>}, { \
    name ".s64", 64, std::vector<uint8_t>(n, 64), shape<S64, F>        \
  }
#define KBX_ASM_UNSIGNED(name, letter, n, shape, F)                             \
  {name "." letter "16", 16, std::vector<uint8_t>(n, 16), shape<U16, F>},       \
      {name "." letter "32", 32, std::vector<uint8_t>(n, 32), shape<U32, F>}, { \
    name "." letter "64", 64, std::vector<uint8_t>(n, 64), shape<U64, F>        \
  }
// Sums and products wrap: the signed forms are the unsigned ones.
#define KBX_ASM_WRAP(name, n, shape, F) \
  KBX_ASM_UNSIGNED(name, "u", n, shape, F), KBX_ASM_UNSIGNED(name, "s", n, shape, F)
#define KBX_ASM_TEST(name, F)                                                                                      \
  {"setp." name ".f32", 1, {32, 32}, test<F32, F>}, {"setp." name ".f64", 1, {64, 64}, test<F64, F>},              \
      {"setp." name ".f16", 1, {16, 16}, test<F16, F>}, {"setp." name ".f16x2", 1, {32, 32}, test_halves<F16, F>}, \
      {"setp." name ".s32", 1, {32, 32}, test<S32, F>}, {"setp." name ".u32", 1, {32, 32}, test<U32, F>},          \
      {"setp." name ".s64", 1, {64, 64}, test<S64, F>}, {"setp." name ".u64", 1, {64, 64}, test<U64, F>},          \
      {"setp." name ".s16", 1, {16, 16}, test<S16, F>}, {                                                          \
    "setp." name ".u16", 1, {16, 16}, test<U16, F>                                                                 \
  }

std::vector<AsmRow> arithmetic_rows() {
  return {
      KBX_ASM_FLOATS("add", 2, two, Add, 32, 32),
      KBX_ASM_F64("add", 2, two, Add),
      KBX_ASM_WRAP("add", 2, two, Add),
      KBX_ASM_FLOATS("sub", 2, two, Sub, 32, 32),
      KBX_ASM_F64("sub", 2, two, Sub),
      KBX_ASM_WRAP("sub", 2, two, Sub),
      KBX_ASM_FLOATS("mul", 2, two, Mul, 32, 32),
      KBX_ASM_F64("mul", 2, two, Mul),
      KBX_ASM_WRAP("mul.lo", 2, two, Mul),
      KBX_ASM_FLOATS("fma", 3, three, Fma, 32, 32, 32),
      KBX_ASM_F64("fma", 3, three, Fma),
      KBX_ASM_WRAP("mad.lo", 3, three, Mad),
      KBX_ASM_FLOATS("min", 2, two, MinNumber, 32, 32),
      KBX_ASM_FLOATS("max", 2, two, MaxNumber, 32, 32),
      KBX_ASM_FLOATS("min.NaN", 2, two, MinOrNan, 32, 32),
      KBX_ASM_FLOATS("max.NaN", 2, two, MaxOrNan, 32, 32),
      KBX_ASM_F64("min", 2, two, MinNumber),
      KBX_ASM_F64("max", 2, two, MaxNumber),
      KBX_ASM_SIGNED("min", 2, two, Min),
      KBX_ASM_SIGNED("max", 2, two, Max),
      KBX_ASM_UNSIGNED("min", "u", 2, two, Min),
      KBX_ASM_UNSIGNED("max", "u", 2, two, Max),
      KBX_ASM_FLOATS("neg", 1, one, Neg, 32),
      KBX_ASM_FLOATS("abs", 1, one, Abs, 32),
      KBX_ASM_F64("neg", 1, one, Neg),
      KBX_ASM_F64("abs", 1, one, Abs),
      KBX_ASM_UNSIGNED("neg", "s", 1, one, Neg),
      KBX_ASM_FLOATS("ex2", 1, one, Ex2, 32),
      KBX_ASM_FLOATS("tanh", 1, one, Tanh, 32),
      {"div.f32", 32, {32, 32}, two<F32, Div>},
      KBX_ASM_F64("div", 2, two, Div),
      {"rcp.f32", 32, {32}, one<F32, Rcp>},
      KBX_ASM_F64("rcp", 1, one, Rcp),
      {"sqrt.f32", 32, {32}, one<F32, Sqrt>},
      KBX_ASM_F64("sqrt", 1, one, Sqrt),
      {"rsqrt.f32", 32, {32}, one<F32, Rsqrt>},
      {"lg2.f32", 32, {32}, one<F32, Lg2>},
      {"sin.f32", 32, {32}, one<F32, Sin>},
      {"cos.f32", 32, {32}, one<F32, Cos>},
  };
}

std::vector<AsmRow> logic_rows() {
  return {
      KBX_ASM_UNSIGNED("and", "b", 2, two, And),
      KBX_ASM_UNSIGNED("or", "b", 2, two, Or),
      KBX_ASM_UNSIGNED("xor", "b", 2, two, Xor),
      KBX_ASM_UNSIGNED("not", "b", 1, one, Not),
      {"and.pred", 1, {1, 1}, two<U16, And>},
      {"or.pred", 1, {1, 1}, two<U16, Or>},
      {"xor.pred", 1, {1, 1}, two<U16, Xor>},
      {"not.pred", 1, {1}, one<U16, Not>},
      {"griddepcontrol.wait", 0, {}, nothing},
      {"griddepcontrol.launch_dependents", 0, {}, nothing},
  };
}

std::vector<AsmRow> conversion_rows() {
  return {
      {"cvt.rn.f16.f32", 16, {32}, convert<F16, F32>},
      {"cvt.rn.bf16.f32", 16, {32}, convert<BF16, F32>},
      {"cvt.rz.f16.f32", 16, {32}, chop<Kind::f16>},
      {"cvt.rz.bf16.f32", 16, {32}, chop<Kind::bf16>},
      {"cvt.f32.f16", 32, {16}, convert<F32, F16>},
      {"cvt.f32.bf16", 32, {16}, convert<F32, BF16>},
      {"cvt.f64.f32", 64, {32}, convert<F64, F32>},
      {"cvt.rn.f32.f64", 32, {64}, convert<F32, F64>},
      {"cvt.rn.f32.s32", 32, {32}, convert<F32, S32>},
      {"cvt.rn.f32.u32", 32, {32}, convert<F32, U32>},
      {"cvt.rzi.s32.f32", 32, {32}, to_integer<int32_t, false>},
      {"cvt.rzi.u32.f32", 32, {32}, to_integer<uint32_t, false>},
      {"cvt.rni.s32.f32", 32, {32}, to_integer<int32_t, true>},
      {"cvt.s64.s32", 64, {32}, convert<S64, S32>},
      {"cvt.u64.u32", 64, {32}, convert<U64, U32>},
      {"cvt.u32.u64", 32, {64}, convert<U32, U64>},
      {"cvt.s32.s16", 32, {16}, convert<S32, S16>},
      {"cvt.u32.u16", 32, {16}, convert<U32, U16>},
      {"cvt.u16.u32", 16, {32}, convert<U16, U32>},
      {"cvt.rn.f16x2.f32", 32, {32, 32}, pair_of_floats<F16>},
      {"cvt.rn.bf16x2.f32", 32, {32, 32}, pair_of_floats<BF16>},
      {"cvt.rn.satfinite.e4m3x2.f32", 16, {32, 32}, pair_of_floats<E4M3>},
      {"cvt.rn.satfinite.e5m2x2.f32", 16, {32, 32}, pair_of_floats<E5M2>},
      {"cvt.rn.satfinite.e4m3x2.f16x2", 16, {32}, pair<E4M3, F16>},
      {"cvt.rn.satfinite.e5m2x2.f16x2", 16, {32}, pair<E5M2, F16>},
      {"cvt.rn.f16x2.e4m3x2", 32, {16}, pair<F16, E4M3>},
      {"cvt.rn.f16x2.e5m2x2", 32, {16}, pair<F16, E5M2>},
  };
}

std::vector<AsmRow> test_rows() {
  return {
      KBX_ASM_TEST("eq", Eq),
      KBX_ASM_TEST("ne", Ne),
      KBX_ASM_TEST("neu", NotEq),
      KBX_ASM_TEST("lt", Lt),
      KBX_ASM_TEST("le", Le),
      KBX_ASM_TEST("gt", Gt),
      KBX_ASM_TEST("ge", Ge),
  };
}

std::vector<AsmRow> make_rows() {
  std::vector<AsmRow> rows;
  for (auto part : {arithmetic_rows(), logic_rows(), asm_bit_rows(), conversion_rows(), test_rows()}) rows.insert(rows.end(), part.begin(), part.end());
  for (char letter : {'b', 'u', 's', 'f'})
    for (uint8_t bits : {16, 32, 64}) {
      std::string move = "mov.", select = "selp.";
      for (std::string* name : {&move, &select}) (*name += letter) += std::to_string(bits);
      rows.push_back({move, bits, {bits}, same});
      rows.push_back({select, bits, {bits, bits, 1}, choose});
    }
  rows.push_back({"mov.pred", 1, {1}, same});
  return rows;
}

template <int kBits>
uint64_t join(const uint64_t* v) {
  uint64_t r = 0;
  for (int k = 0; k < 64 / kBits; k++) r |= (v[k] & ((uint64_t{1} << kBits) - 1)) << (k * kBits);
  return r;
}

}  // namespace

const AsmRow* find_asm(std::string_view name) {
  static const std::vector<AsmRow> kRows = make_rows();
  for (const AsmRow& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}

AsmRun find_join(uint32_t bits) { return bits == 16 ? join<16> : bits == 32 ? join<32> : nullptr; }

}  // namespace kbx::ir
