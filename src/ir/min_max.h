// Minimum and maximum of floats as the hardware has them: NaN is dropped or kept, and -0 lies below +0.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

namespace kbx::ir {

// Of two equal values, which can differ in the sign of a zero alone; PTX's min and max put -0 below +0.
template <bool kLarger, class T>
T of_equals(T x, T y) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  Bits a = std::bit_cast<Bits>(x), b = std::bit_cast<Bits>(y);
  return std::bit_cast<T>(kLarger ? a & b : a | b);
}
// min and max that drop NaN, and those that keep it (arith.maxnumf, arith.maximumf).
struct MaxNumber {
  template <class T>
  T operator()(T x, T y) const {
    return x != x ? y : y != y ? x : x > y ? x : y > x ? y : of_equals<true>(x, y);
  }
};
struct MinNumber {
  template <class T>
  T operator()(T x, T y) const {
    return x != x ? y : y != y ? x : x < y ? x : y < x ? y : of_equals<false>(x, y);
  }
};
struct MaxOrNan {
  template <class T>
  T operator()(T x, T y) const {
    return x != x ? x : y != y ? y : MaxNumber{}(x, y);
  }
};
struct MinOrNan {
  template <class T>
  T operator()(T x, T y) const {
    return x != x ? x : y != y ? y : MinNumber{}(x, y);
  }
};

}  // namespace kbx::ir
