// log, exp and sine/cosine of an angle from + - * / and bit patterns alone: the last bit is the same on every machine,
// which libm does not promise. T is float or double; a few ulp. Branchless, so loops over them vectorise.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace kbx::suite {

template <class T>
struct Format {
  static constexpr bool kSingle = std::is_same_v<T, float>;
  using Bits = std::conditional_t<kSingle, uint32_t, uint64_t>;
  static constexpr int kMantissa = kSingle ? 23 : 52;
  static constexpr Bits kOne = kSingle ? 0x3f800000u : 0x3ff0000000000000u;
  static constexpr T kInteger =
      kSingle ? T(0x1.8p23) : T(0x1.8p52);  // kInteger + k holds the integer k in its low bits
  static constexpr Bits kHalfRoot = kSingle ? 0x3f3504f3u : 0x3fe6a09e667f3bcdu;  // sqrt(1/2)
};

// Horner chains as recursion: g++ unrolls a loop too late for its vectoriser.
template <int k, int kLast, class T>
inline T odd_reciprocals(T x) {  // sum over j = k..kLast of x^(j-k) / (2j + 1)
  if constexpr (k == kLast)
    return T(1) / T(2 * k + 1);
  else
    return odd_reciprocals<k + 1, kLast>(x) * x + T(1) / T(2 * k + 1);
}
template <int k, int kLast, class T>
inline T exp_series(T x) {  // 1 + x/k (1 + x/(k+1) (...))
  if constexpr (k > kLast)
    return T(1);
  else
    return exp_series<k + 1, kLast>(x) * x * (T(1) / T(k)) + 1;
}
template <int k, int kLast, int kOdd, class T>
inline T alternating_series(T x2) {  // 1 - x^2/((2k-1+kOdd)(2k+kOdd)) (1 - ...): cosine, or sine / x with kOdd = 1
  if constexpr (k > kLast)
    return T(1);
  else
    return 1 - alternating_series<k + 1, kLast, kOdd>(x2) * x2 * (T(1) / T((2 * k - 1 + kOdd) * (2 * k + kOdd)));
}

// Natural logarithm of a positive normal number. x = 2^e m with m in [sqrt(1/2), sqrt(2)); log m = 2
// atanh((m-1)/(m+1)).
template <class T>
inline T log_of(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  Bits shifted = std::bit_cast<Bits>(x) - F::kHalfRoot;
  // The exponent plus a bias, hence positive, becomes a number without a conversion (AVX2 has none from 64 bits).
  constexpr Bits kBias = F::kSingle ? 128 : 1024;
  Bits biased = (shifted + (kBias << F::kMantissa)) >> F::kMantissa;
  T e = std::bit_cast<T>(std::bit_cast<Bits>(F::kInteger) + biased) - (F::kInteger + T(kBias));
  T m = std::bit_cast<T>((shifted & ((Bits(1) << F::kMantissa) - 1)) + F::kHalfRoot);
  T s = (m - 1) / (m + 1), s2 = s * s;
  constexpr int kTerms = F::kSingle ? 5 : 11;  // s^2 <= 0.0295
  T sum = odd_reciprocals<0, kTerms>(s2);
  constexpr T kLn2High = F::kSingle ? T(0x1.62e4p-1) : T(0x1.62e42fefa38p-1);
  constexpr T kLn2Low = F::kSingle ? T(0x1.7f7d1cp-20) : T(0x1.ef35793c7673p-45);
  return (2 * s * sum + e * kLn2Low) + e * kLn2High;
}

// e^x, x kept within the range of normal results.
template <class T>
inline T exp_of(T x) {
  using F = Format<T>;
  constexpr T kMost = F::kSingle ? T(88) : T(709);
  x = x > kMost ? kMost : x;
  x = x < -kMost + 1 ? -kMost + 1 : x;
  T shifted = x * T(0x1.71547652b82fep0) + F::kInteger, n = shifted - F::kInteger;  // nearest integer
  constexpr T kLn2High = F::kSingle ? T(0x1.62e4p-1) : T(0x1.62e42fefa38p-1);
  constexpr T kLn2Low = F::kSingle ? T(0x1.7f7d1cp-20) : T(0x1.ef35793c7673p-45);
  T r = (x - n * kLn2High) - n * kLn2Low;
  constexpr int kTerms = F::kSingle ? 7 : 13;
  T sum = exp_series<1, kTerms>(r);
  return std::bit_cast<T>(std::bit_cast<typename F::Bits>(sum) +
                          (std::bit_cast<typename F::Bits>(shifted) << F::kMantissa));
}

// (cos, sin) of an angle in [-pi/4, pi/4], by their series.
template <class T>
inline std::pair<T, T> cos_sin(T angle) {
  constexpr int kTerms = Format<T>::kSingle ? 4 : 8;
  T a2 = angle * angle;
  return {alternating_series<1, kTerms, 0>(a2), alternating_series<1, kTerms, 1>(a2) * angle};
}

}  // namespace kbx::suite
