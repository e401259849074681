// Philox in structure-of-arrays form and Box-Muller; written so that g++ turns the loops into vector instructions.
// Before every include: g++ inlines only between functions of equal options. No value depends on them: IEEE stays.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif
#include "suite/random_stream.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

#include <bit>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/philox.h"

#include "suite/real_math.h"

namespace kbx::suite {
namespace {

constexpr size_t kLanes = 32;  // blocks computed together

uint32_t word_of(const std::string& hex, size_t k) {
  uint32_t word = 0;
  auto r = std::from_chars(hex.data() + 8 * k, hex.data() + 8 * k + 8, word, 16);
  KBX_CHECK(r.ec == std::errc());
  return word;
}

// (radius cos, radius sin) of an angle given as a quadrant (0..3) and the rest within it: a sign and a swap, by masks,
// since a branch would keep the loops from being vectorised.
template <class T>
inline void polar(T radius, T rest, typename Format<T>::Bits quadrant, T& a, T& b) {
  using Bits = typename Format<T>::Bits;
  constexpr int kSign = sizeof(T) * 8 - 1;
  auto [c, s] = cos_sin(rest);
  Bits cb = std::bit_cast<Bits>(c), sb = std::bit_cast<Bits>(s), swap = Bits(0) - (quadrant & 1);
  Bits first = (cb & ~swap) | (sb & swap), second = (sb & ~swap) | (cb & swap);
  a = radius * std::bit_cast<T>(first ^ ((quadrant >> 1) ^ (quadrant & 1)) << kSign);
  b = radius * std::bit_cast<T>(second ^ (quadrant >> 1) << kSign);
}

// Square roots are correctly rounded everywhere; the intrinsics are there because g++ keeps sqrt's errno in a loop.
// n is a multiple of 8.
#ifdef __AVX__
void roots(float* x, size_t n) {
  for (size_t k = 0; k < n; k += 8) _mm256_storeu_ps(x + k, _mm256_sqrt_ps(_mm256_loadu_ps(x + k)));
}
void roots(double* x, size_t n) {
  for (size_t k = 0; k < n; k += 4) _mm256_storeu_pd(x + k, _mm256_sqrt_pd(_mm256_loadu_pd(x + k)));
}
#else
template <class T>
void roots(T* x, size_t n) {
  for (size_t k = 0; k < n; k++) x[k] = std::sqrt(x[k]);
}
#endif

inline double unit_double(uint64_t w) { return std::bit_cast<double>(Format<double>::kOne | w >> 12) - 1.0; }

// Box and Muller (Ann. Math. Stat. 29, 1958): the square of the radius from one word, the angle from another.
inline float radius2(uint32_t w) { return -2.0f * log_of((float(int32_t(w >> 1)) + 0.5f) * 0x1p-31f); }
inline double radius2(uint64_t w) { return -2.0 * log_of(unit_double(w) + 0x1p-53); }
inline void turn(float radius, uint32_t w, float& a, float& b) {
  polar(radius, float(int32_t(w << 2)) * float(std::numbers::pi / 4 * 0x1p-31), w >> 30, a, b);
}
inline void turn(double radius, uint64_t w, double& a, double& b) {
  polar(radius, (unit_double(w << 2) - 0.5) * (std::numbers::pi / 2), w >> 62, a, b);
}

// kChunk words -> kChunk normals.
template <class T, class Word>
void box_muller(const Word* __restrict w, T* __restrict out) {
  constexpr size_t kHalf = kChunk / 2;
  T radius[kHalf];
  for (size_t k = 0; k < kHalf; k++) radius[k] = radius2(w[k]);
  roots(radius, kHalf);
  for (size_t k = 0; k < kHalf; k++) turn(radius[k], w[kHalf + k], out[k], out[kHalf + k]);
}

}  // namespace

RandomStream::RandomStream(const std::vector<std::string_view>& fields) {
  FieldHash hash;
  for (std::string_view field : fields) hash.add(field);
  std::string hex = hash.hex();
  key_ = {word_of(hex, 0), word_of(hex, 1)};
  salt_ = word_of(hex, 2);
}

void RandomStream::blocks(Lane lane, uint64_t first, size_t count, uint32_t* out) const {
  KBX_CHECK(count % kLanes == 0);
  for (size_t at = 0; at < count; at += kLanes) {
    uint32_t c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes];
    for (size_t k = 0; k < kLanes; k++) {
      uint64_t index = first + at + k;
      c0[k] = uint32_t(index);
      c1[k] = uint32_t(index >> 32);
      c2[k] = uint32_t(lane);
      c3[k] = salt_;
    }
    uint32_t k0 = key_[0], k1 = key_[1];
    for (int round = 0; round < 10; round++) {
      for (size_t k = 0; k < kLanes; k++) {
        uint64_t p0 = uint64_t(0xD2511F53u) * c0[k], p1 = uint64_t(0xCD9E8D57u) * c2[k];
        uint32_t n0 = uint32_t(p1 >> 32) ^ c1[k] ^ k0, n2 = uint32_t(p0 >> 32) ^ c3[k] ^ k1;
        c0[k] = n0;
        c1[k] = uint32_t(p1);
        c2[k] = n2;
        c3[k] = uint32_t(p0);
      }
      k0 += 0x9E3779B9u;
      k1 += 0xBB67AE85u;
    }
    for (size_t k = 0; k < kLanes; k++) {
      out[at + k] = c0[k];
      out[count + at + k] = c1[k];
      out[2 * count + at + k] = c2[k];
      out[3 * count + at + k] = c3[k];
    }
  }
}

void RandomStream::words(Lane lane, uint64_t chunk, uint32_t* out) const {
  blocks(lane, chunk * (kChunk / 4), kChunk / 4, out);
}

void RandomStream::wide(Lane lane, uint64_t chunk, uint64_t* out) const {
  uint32_t w[2 * kChunk];
  blocks(lane, chunk * (kChunk / 2), kChunk / 2, w);
  for (size_t k = 0; k < kChunk; k++) out[k] = uint64_t(w[k]) << 32 | w[kChunk + k];
}

void RandomStream::normal(Lane lane, uint64_t chunk, float* out) const {
  uint32_t w[kChunk];
  words(lane, chunk, w);
  box_muller(w, out);
}

void RandomStream::normal(Lane lane, uint64_t chunk, double* out) const {
  uint64_t w[kChunk];
  wide(lane, chunk, w);
  box_muller(w, out);
}

void RandomStream::unit(Lane lane, uint64_t chunk, float* out) const {
  uint32_t w[kChunk];
  words(lane, chunk, w);
  for (size_t k = 0; k < kChunk; k++) out[k] = float(int32_t(w[k] >> 8)) * 0x1p-24f;
}

void RandomStream::unit(Lane lane, uint64_t chunk, double* out) const {
  uint64_t w[kChunk];
  wide(lane, chunk, w);
  for (size_t k = 0; k < kChunk; k++) out[k] = unit_double(w[k]);
}

std::array<uint32_t, 4> RandomStream::block(Lane lane, uint64_t index) const {
  return philox4x32_10({uint32_t(index), uint32_t(index >> 32), uint32_t(lane), salt_}, key_);
}

double RandomStream::one_normal(Lane lane, uint64_t index) const {
  auto w = block(lane, index);
  double a = 0, b = 0;
  turn(std::sqrt(radius2(uint64_t(w[0]) << 32 | w[1])), uint64_t(w[2]) << 32 | w[3], a, b);
  return a;
}

}  // namespace kbx::suite
