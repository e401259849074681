// Philox4x32-10 and the variates made of it, by position. The order of words, the arithmetic and so the bits are those
// of kbx's generator on the CPU (src/suite/random_stream.h): an input of a given key is the same wherever it is drawn.
#pragma once
#include "device_base.h"

namespace kbx::clock::device {

// Variates come in chunks of kChunk; one call makes four of a chunk: `part`, and kQuarter, 2 and 3 kQuarter further.
constexpr uint32_t kChunk = 2048, kQuarter = kChunk / 4;

struct Stream {
  uint32_t key0, key1, salt;
};
enum Lane : uint32_t { kBase = 0, kMixMask = 1, kMixValue = 2, kIgnoreMask = 3, kFirst = 7, kSecond = 8 };

struct Block {
  uint32_t w[4];
};

// Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC'11, section 4.
KBX_DEVICE Block philox(Block c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; round++) {
    uint64_t p0 = uint64_t(0xD2511F53u) * c.w[0], p1 = uint64_t(0xCD9E8D57u) * c.w[2];
    c = Block{{uint32_t(p1 >> 32) ^ c.w[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c.w[3] ^ k1, uint32_t(p0)}};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}
KBX_DEVICE Block block_of(const Stream& s, uint32_t lane, uint64_t index) {
  return philox(Block{{uint32_t(index), uint32_t(index >> 32), lane, s.salt}}, s.key0, s.key1);
}

// log, exp, cosine and sine from + - * / and bit patterns alone, so that host and device agree in the last bit.
template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kMantissa = 23, kLogTerms = 5, kExpTerms = 7, kTurnTerms = 4;
  static constexpr uint32_t kOne = 0x3f800000u, kHalfRoot = 0x3f3504f3u, kBias = 128;
  static constexpr float kInteger = 8388608.0f * 1.5f, kMost = 88, kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f, kLog2E = float(0x1.71547652b82fep0);
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kMantissa = 52, kLogTerms = 11, kExpTerms = 13, kTurnTerms = 8;
  static constexpr uint64_t kOne = 0x3ff0000000000000ull, kHalfRoot = 0x3fe6a09e667f3bcdull, kBias = 1024;
  static constexpr double kInteger = 4503599627370496.0 * 1.5, kMost = 709, kLn2High = 0x1.62e42fefa38p-1, kLn2Low = 0x1.ef35793c7673p-45,
                          kLog2E = 0x1.71547652b82fep0;
};

// Natural logarithm of a positive normal number: x = 2^e m, m in [sqrt(1/2), sqrt(2)), log m = 2 atanh((m-1)/(m+1)).
template <class T>
KBX_DEVICE T log_of(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  Bits shifted = bits_of(x) - F::kHalfRoot;
  Bits biased = (shifted + (F::kBias << F::kMantissa)) >> F::kMantissa;
  T e = float_of(bits_of(F::kInteger) + biased) - (F::kInteger + T(F::kBias));
  T m = float_of((shifted & ((Bits(1) << F::kMantissa) - 1)) + F::kHalfRoot);
  T s = (m - 1) / (m + 1), s2 = s * s;
  T sum = T(1) / T(2 * F::kLogTerms + 1);
  for (int k = F::kLogTerms - 1; k >= 0; k--) sum = sum * s2 + T(1) / T(2 * k + 1);
  return (2 * s * sum + e * F::kLn2Low) + e * F::kLn2High;
}
// e^x, x kept within the range of normal results.
template <class T>
KBX_DEVICE T exp_of(T x) {
  using F = Format<T>;
  constexpr T kMost = F::kMost;
  x = x > kMost ? T(kMost) : x;
  x = x < -kMost + 1 ? T(-kMost + 1) : x;
  T shifted = x * F::kLog2E + F::kInteger, n = shifted - F::kInteger;
  T r = (x - n * F::kLn2High) - n * F::kLn2Low;
  T sum = 1;
  for (int k = F::kExpTerms; k >= 1; k--) sum = sum * r * (T(1) / T(k)) + 1;
  return float_of(typename F::Bits(bits_of(sum) + (bits_of(shifted) << F::kMantissa)));
}
// Cosine, or sine / x, of an angle within +-pi/4, from its square.
template <class T>
KBX_DEVICE T alternating(T square, int odd) {
  T sum = 1;
  for (int k = Format<T>::kTurnTerms; k >= 1; k--) sum = 1 - sum * square * (T(1) / T((2 * k - 1 + odd) * (2 * k + odd)));
  return sum;
}

// Box and Muller (Ann. Math. Stat. 29, 1958): the radius from one word, the angle from another: a quadrant and the rest.
template <class T>
KBX_DEVICE void polar(T radius, T rest, uint32_t quadrant, T& a, T& b) {
  T square = rest * rest, c = alternating(square, 0), s = alternating(square, 1) * rest;
  T first = quadrant & 1 ? s : c, second = quadrant & 1 ? c : s;
  a = radius * (((quadrant >> 1) ^ (quadrant & 1)) ? -first : first);
  b = radius * (quadrant >> 1 ? -second : second);
}
constexpr double kQuarterTurn = 0.78539816339744830962;
KBX_DEVICE double unit_of(uint64_t w) { return float_of(Format<double>::kOne | w >> 12) - 1.0; }
KBX_DEVICE void box_muller(uint32_t r, uint32_t angle, float& a, float& b) {
  float square = -2.0f * log_of((float(int32_t(r >> 1)) + 0.5f) * 0x1p-31f);
  polar(root_of(square), float(int32_t(angle << 2)) * float(kQuarterTurn * 0x1p-31), angle >> 30, a, b);
}
KBX_DEVICE void box_muller(uint64_t r, uint64_t angle, double& a, double& b) {
  double square = -2.0 * log_of(unit_of(r) + 0x1p-53);
  polar(root_of(square), (unit_of(angle << 2) - 0.5) * (kQuarterTurn * 2), uint32_t(angle >> 62), a, b);
}

// Four 64-bit words of a chunk.
struct Wide {
  uint64_t w[4];
};
KBX_DEVICE Wide wide_of(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part) {
  Block a = block_of(s, lane, chunk * (kChunk / 2) + part), b = block_of(s, lane, chunk * (kChunk / 2) + part + kQuarter);
  return Wide{{uint64_t(a.w[0]) << 32 | a.w[2], uint64_t(b.w[0]) << 32 | b.w[2], uint64_t(a.w[1]) << 32 | a.w[3], uint64_t(b.w[1]) << 32 | b.w[3]}};
}
KBX_DEVICE Block words_of(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part) { return block_of(s, lane, chunk * kQuarter + part); }

KBX_DEVICE void normals(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part, float out[4]) {
  Block w = words_of(s, lane, chunk, part);
  box_muller(w.w[0], w.w[2], out[0], out[2]);
  box_muller(w.w[1], w.w[3], out[1], out[3]);
}
KBX_DEVICE void normals(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part, double out[4]) {
  Wide w = wide_of(s, lane, chunk, part);
  box_muller(w.w[0], w.w[2], out[0], out[2]);
  box_muller(w.w[1], w.w[3], out[1], out[3]);
}
// Multiples of 2^-24 or 2^-52 in [0, 1).
KBX_DEVICE void units(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part, float out[4]) {
  Block w = words_of(s, lane, chunk, part);
  for (int k = 0; k < 4; k++) out[k] = float(int32_t(w.w[k] >> 8)) * 0x1p-24f;
}
KBX_DEVICE void units(const Stream& s, uint32_t lane, uint64_t chunk, uint32_t part, double out[4]) {
  Wide w = wide_of(s, lane, chunk, part);
  for (int k = 0; k < 4; k++) out[k] = unit_of(w.w[k]);
}
// One normal number of one block, for sparse use.
KBX_DEVICE double one_normal(const Stream& s, uint32_t lane, uint64_t index) {
  Block w = block_of(s, lane, index);
  double a = 0, b = 0;
  box_muller(uint64_t(w.w[0]) << 32 | w.w[1], uint64_t(w.w[2]) << 32 | w.w[3], a, b);
  return a;
}

}  // namespace kbx::clock::device
