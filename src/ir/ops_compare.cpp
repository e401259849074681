// Comparisons and selection. Predicates are MLIR's numbers; ordered float predicates are false on NaN, unordered true.
#include <cstring>
#include <type_traits>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

// 0 eq, 1 ne, 2 slt, 3 sle, 4 sgt, 5 sge, 6 ult, 7 ule, 8 ugt, 9 uge
template <int P>
struct CompareInt {
  template <class T>
  uint8_t operator()(T x, T y) const {
    using V = std::make_unsigned_t<T>;
    V u = static_cast<V>(x), v = static_cast<V>(y);
    if constexpr (P == 0)
      return x == y;
    else if constexpr (P == 1)
      return x != y;
    else if constexpr (P == 2)
      return x < y;
    else if constexpr (P == 3)
      return x <= y;
    else if constexpr (P == 4)
      return x > y;
    else if constexpr (P == 5)
      return x >= y;
    else if constexpr (P == 6)
      return u < v;
    else if constexpr (P == 7)
      return u <= v;
    else if constexpr (P == 8)
      return u > v;
    else
      return u >= v;
  }
};
template <int P>
struct CompareBit {  // a set bit is -1 to the signed predicates
  uint8_t operator()(uint8_t x, uint8_t y) const {
    return CompareInt<P>{}(static_cast<int8_t>(-(x & 1)), static_cast<int8_t>(-(y & 1)));
  }
};

// 0 false, 1 oeq, 2 ogt, 3 oge, 4 olt, 5 ole, 6 one, 7 ord, 8 ueq, 9 ugt, 10 uge, 11 ult, 12 ule, 13 une, 14 uno, 15
// true
template <int P>
struct CompareFloat {
  template <class T>
  uint8_t operator()(T x, T y) const {
    bool unordered = x != x || y != y;
    constexpr int kOrdered = P >= 8 ? P - 7 : P;
    if constexpr (P == 0)
      return 0;
    else if constexpr (P == 15)
      return 1;
    else if constexpr (P == 7)
      return !unordered;
    else if constexpr (P == 14)
      return unordered;
    else {
      bool r = kOrdered == 1   ? x == y
               : kOrdered == 2 ? x > y
               : kOrdered == 3 ? x >= y
               : kOrdered == 4 ? x < y
               : kOrdered == 5 ? x <= y
                               : x < y || x > y;
      return P >= 8 ? r || unordered : r;
    }
  }
};

template <int P>
Kernel int_kernel(Kind k) {
  switch (k) {
    case Kind::i1:
      return map2<uint8_t, uint8_t, CompareBit<P>>;
    case Kind::i8:
      return map2<uint8_t, int8_t, CompareInt<P>>;
    case Kind::i16:
      return map2<uint8_t, int16_t, CompareInt<P>>;
    case Kind::i32:
      return map2<uint8_t, int32_t, CompareInt<P>>;
    case Kind::i64:
      return map2<uint8_t, int64_t, CompareInt<P>>;
    default:
      return nullptr;
  }
}
template <int P>
Kernel float_kernel(Kind k) {
  return k == Kind::f64 ? map2<uint8_t, double, CompareFloat<P>>
         : is_float(k)  ? map2<uint8_t, float, CompareFloat<P>>
                        : nullptr;
}
template <int P>
Kernel find_int(int64_t predicate, Kind k) {
  if constexpr (P < 0)
    return nullptr;
  else
    return predicate == P ? int_kernel<P>(k) : find_int<P - 1>(predicate, k);
}
template <int P>
Kernel find_float(int64_t predicate, Kind k) {
  if constexpr (P < 0)
    return nullptr;
  else
    return predicate == P ? float_kernel<P>(k) : find_float<P - 1>(predicate, k);
}

bool is_comparison(const Signature& s) { return s.operands == 2 && s.a == s.b && s.result == Kind::i1; }
Kernel compare_int(const Signature& s) {
  auto predicate = s.op->integer("predicate", -1);
  return predicate && is_comparison(s) ? find_int<9>(*predicate, s.a) : nullptr;
}
Kernel compare_float(const Signature& s) {
  auto predicate = s.op->integer("predicate", -1);
  return predicate && is_comparison(s) ? find_float<15>(*predicate, s.a) : nullptr;
}

template <class T>
void select_lanes(T* __restrict d, const uint8_t* __restrict m, const T* __restrict a, const T* __restrict b,
                  uint32_t n) {
  for (uint32_t k = 0; k < n; k++) d[k] = m[k] ? a[k] : b[k];
}
template <class T>
void select(Context& c, const Inst& i) {
  select_lanes(c.at<T>(i.out), c.at<uint8_t>(i.a), c.at<T>(i.b), c.at<T>(i.c), i.lanes);
}
template <class T>
void select_whole(Context& c, const Inst& i) {
  std::memcpy(c.at<T>(i.out), c.at<T>(*c.at<uint8_t>(i.a) ? i.b : i.c), uint64_t{i.lanes} * sizeof(T));
}

constexpr LaneRow kRows[] = {{"arith.cmpi", compare_int}, {"arith.cmpf", compare_float, 1}};

}  // namespace

std::span<const LaneRow> compare_rows() { return kRows; }

Kernel find_select(Kind kind, bool scalar_condition) {
  switch (lane_bytes(kind)) {
    case 1:
      return scalar_condition ? select_whole<uint8_t> : select<uint8_t>;
    case 2:
      return scalar_condition ? select_whole<uint16_t> : select<uint16_t>;
    case 4:
      return scalar_condition ? select_whole<uint32_t> : select<uint32_t>;
    default:
      return scalar_condition ? select_whole<uint64_t> : select<uint64_t>;
  }
}

}  // namespace kbx::ir
