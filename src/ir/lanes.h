// Loops over lanes, and the row that names a lane-wise operation. Included by the elementwise families only.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "ir/context.h"
#include "ir/min_max.h"
#include "ir/module.h"
#include "ir/small_float.h"

namespace kbx::ir {

// What an operation is asked to do: the kinds were not checked yet.
struct Signature {
  const Op* op = nullptr;
  size_t operands = 0;
  Kind a = Kind::other, b = Kind::other, c = Kind::other;  // of the operands that exist
  Kind result = Kind::other;

  // n operands, all of one kind, the result too.
  bool uniform(size_t n) const {
    return operands == n && a == result && (n < 2 || b == a) && (n < 3 || c == a) && a != Kind::other;
  }
};

// One table row an operation. pick: null = not with these kinds.
struct LaneRow {
  std::string_view name;
  Kernel (*pick)(const Signature&);
  uint32_t flops = 0;  // a lane
  Flow flow = Flow::lanes;
};

inline void finish(Context& c, const Inst& i) {
  if (is_small_float(i.round)) round_floats(i.round, c.at<float>(i.out), i.lanes);
}

// Plain loops on pointers and a count of their own: what lets the compiler vectorise them. A result never overlaps an
// operand (liveness.cpp); operands may be one another.
template <class D, class A, class F>
void loop1(D* __restrict d, const A* __restrict a, uint32_t n) {
  F f;
  for (uint32_t k = 0; k < n; k++) d[k] = f(a[k]);
}
template <class D, class A, class F>
void loop2(D* __restrict d, const A* __restrict a, const A* __restrict b, uint32_t n) {
  F f;
  for (uint32_t k = 0; k < n; k++) d[k] = f(a[k], b[k]);
}
template <class A, class F>
void loop3(A* __restrict d, const A* __restrict a, const A* __restrict b, const A* __restrict e, uint32_t n) {
  F f;
  for (uint32_t k = 0; k < n; k++) d[k] = f(a[k], b[k], e[k]);
}

template <class D, class A, class F>
void map1(Context& c, const Inst& i) {
  loop1<D, A, F>(c.at<D>(i.out), c.at<A>(i.a), i.lanes);
  finish(c, i);
}
template <class D, class A, class F>
void map2(Context& c, const Inst& i) {
  loop2<D, A, F>(c.at<D>(i.out), c.at<A>(i.a), c.at<A>(i.b), i.lanes);
  finish(c, i);
}
template <class A, class F>
void map3(Context& c, const Inst& i) {
  loop3<A, F>(c.at<A>(i.out), c.at<A>(i.a), c.at<A>(i.b), c.at<A>(i.c), i.lanes);
  finish(c, i);
}

// The kernel of a functor for a float kind: small floats are floats in the arena.
template <class F>
Kernel float1(Kind k) {
  return k == Kind::f64 ? map1<double, double, F> : is_float(k) ? map1<float, float, F> : nullptr;
}
template <class F>
Kernel float2(Kind k) {
  return k == Kind::f64 ? map2<double, double, F> : is_float(k) ? map2<float, float, F> : nullptr;
}
template <class F>
Kernel float3(Kind k) {
  return k == Kind::f64 ? map3<double, F> : is_float(k) ? map3<float, F> : nullptr;
}
template <class F>
Kernel pick_float1(const Signature& s) {
  return s.uniform(1) ? float1<F>(s.a) : nullptr;
}
template <class F>
Kernel pick_float2(const Signature& s) {
  return s.uniform(2) ? float2<F>(s.a) : nullptr;
}
template <class F>
Kernel pick_float3(const Signature& s) {
  return s.uniform(3) ? float3<F>(s.a) : nullptr;
}

// sum + error as a float whose last bit is set where something was cut off, so that a rounding to f16 or bf16 that follows
// is the only one (round to odd; Boldo and Melquiond, 2008).
inline float to_odd(double sum, double error) {
  float near = static_cast<float>(sum);
  double rest = (sum - near) + error;
  uint32_t bits = std::bit_cast<uint32_t>(near);
  if (!(std::fabs(rest) > 0) || !std::isfinite(rest) || !std::isfinite(near) || (bits & 1)) return near;
  if (near == 0) return std::copysign(std::bit_cast<float>(1u), static_cast<float>(rest));
  return std::bit_cast<float>((rest > 0) == (near > 0) ? bits + 1 : bits - 1);
}

// The families.
std::span<const LaneRow> integer_rows();
std::span<const LaneRow> float_rows();
std::span<const LaneRow> compare_rows();
std::span<const LaneRow> cast_rows();
std::span<const LaneRow> math_rows();
std::span<const LaneRow> pointer_rows();
// libdevice by symbol ("__nv_expf"); null = unknown, or not with these kinds.
Kernel find_libdevice(std::string_view symbol, const Signature& signature);
// Those whose full symbol (without "__nv_") matters: integers, bits, conversions, directed rounding.
Kernel find_libdevice_exact(std::string_view name, const Signature& signature);
// arith.select; scalar_condition: one condition for all lanes.
Kernel find_select(Kind kind, bool scalar_condition);

}  // namespace kbx::ir
