// Float arithmetic lane by lane. f32 and f64 as IEEE says; smaller floats are computed in float and rounded after
// each operation, which for + - * / and sqrt equals rounding the exact result. NaN rules are named in each functor.
#include <cmath>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

struct Add {
  template <class T>
  T operator()(T x, T y) const {
    return x + y;
  }
};
struct Sub {
  template <class T>
  T operator()(T x, T y) const {
    return x - y;
  }
};
struct Mul {
  template <class T>
  T operator()(T x, T y) const {
    return x * y;
  }
};
struct Divide {
  template <class T>
  T operator()(T x, T y) const {
    return x / y;
  }
};
struct Remainder {
  template <class T>
  T operator()(T x, T y) const {
    return std::fmod(x, y);
  }
};
struct Negate {
  template <class T>
  T operator()(T x) const {
    return -x;
  }
};
struct Absolute {
  template <class T>
  T operator()(T x) const {
    return std::fabs(x);
  }
};
// tl.clamp: with propagateNan a NaN input stays, else the low bound is taken.
struct Clamp {
  template <class T>
  T operator()(T x, T low, T high) const {
    return MinNumber{}(MaxNumber{}(x, low), high);
  }
};
struct ClampOrNan {
  template <class T>
  T operator()(T x, T low, T high) const {
    return x != x ? x : Clamp{}(x, low, high);
  }
};

Kernel clamp(const Signature& s) {
  auto propagate = s.op->integer("propagateNan", 0);
  if (!propagate || !s.uniform(3)) return nullptr;
  return *propagate ? float3<ClampOrNan>(s.a) : float3<Clamp>(s.a);
}

constexpr LaneRow kRows[] = {
    {"arith.addf", pick_float2<Add>, 1},
    {"arith.subf", pick_float2<Sub>, 1},
    {"arith.mulf", pick_float2<Mul>, 1},
    {"arith.divf", pick_float2<Divide>, 1},
    {"tt.precise_divf", pick_float2<Divide>, 1},
    {"tt.approx_divf", pick_float2<Divide>, 1},
    {"arith.remf", pick_float2<Remainder>, 1},
    {"arith.maxnumf", pick_float2<MaxNumber>, 1},
    {"arith.minnumf", pick_float2<MinNumber>, 1},
    {"arith.maximumf", pick_float2<MaxOrNan>, 1},
    {"arith.minimumf", pick_float2<MinOrNan>, 1},
    {"arith.negf", pick_float1<Negate>, 1},
    {"math.absf", pick_float1<Absolute>, 1},
    {"tt.clampf", clamp, 2},
};

}  // namespace

std::span<const LaneRow> float_rows() { return kRows; }

}  // namespace kbx::ir
