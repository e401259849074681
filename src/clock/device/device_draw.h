// Inputs, drawn where they are needed: the distributions of docs/task_format.md that kbx-clock knows.
#pragma once
#include "device_numbers.h"
#include "device_place.h"
#include "device_random.h"

namespace kbx::clock::device {

// The numbers a..d by distribution:
enum Dist : uint32_t {
  kNormal,      // mean, std
  kUniform,     // low, width, greatest value below high
  kLognormal,   // mean, std
  kRandint,     // low, range; c = 1: class_index with d = the ignored class, probability in e
  kBernoulli,   // p
  kConstant,    // value
  kValues,      // cycled through a table
  kLinspace,    // low, high
  kPositive,    // log low, width of the logs
  kOutliers,    // mean, std, prob, scale
  kSpd, kConditioned,  // log cond: see draw_matrix
  kSymmetric,   // d = rows = columns
  kTriangular,  // log cond, spread, rows, columns; e: 1 = upper, 2 = unit diagonal
  kPermutation, // c = size of the dim, d = elements between neighbours along it, e = half of the bits
  kProbability, // log of the dim's size; b = 1: the logarithm. Sums to 1 within about one over the root of the size
  kChosen       // how many elements are one; e = half of the bits that hold an element's index
};
struct DrawSpec {
  uint64_t to = 0, count = 0;  // numbers; a complex element has two
  uint32_t dist = 0, number = 0, step = 1;  // step: numbers an element
  Stream stream{};
  double a = 0, b = 0, c = 0, d = 0, e = 0;
  uint64_t values = 0, value_count = 0;  // doubles
};

KBX_DEVICE bool below(uint32_t word, double probability) { return word < uint64_t(probability * 0x1p32); }

template <class T>
KBX_DEVICE void draw_integers(const DrawSpec& s, uint64_t chunk, uint32_t part, double out[4]) {
  if (s.b <= 0x1p32) {
    Block w = words_of(s.stream, kBase, chunk, part);
    for (int k = 0; k < 4; k++) out[k] = double(T(s.a + double(uint32_t(w.w[k] * uint64_t(s.b) >> 32))));
  } else {
    double u[4];
    units(s.stream, kBase, chunk, part, u);
    for (int k = 0; k < 4; k++) out[k] = double(T(s.a + floor_of(u[k] * s.b)));
  }
  if (s.c == 0 || s.e <= 0) return;
  Block mask = words_of(s.stream, kIgnoreMask, chunk, part);
  for (int k = 0; k < 4; k++)
    if (below(mask.w[k], s.e)) out[k] = s.d;
}

KBX_DEVICE double indexed(const DrawSpec& s, uint64_t index) {
  if (s.dist == kValues) return pointer<double>(s.values)[index % s.value_count];
  if (index % s.step != 0) return 0;  // constants, ramps and what is chosen are real
  if (s.dist == kConstant) return s.a;
  if (s.dist == kSymmetric) return symmetric_element(s.stream, index, uint64_t(s.d));
  if (s.dist == kTriangular)
    return triangular_element(s.stream, index, {uint64_t(s.c), uint64_t(s.d), s.a, s.b, (uint32_t(s.e) & 1) != 0, (uint32_t(s.e) & 2) != 0});
  if (s.dist == kPermutation) {
    uint64_t inner = uint64_t(s.d), n = uint64_t(s.c), line = index / (inner * n) * inner + index % inner;
    return double(permuted(s.stream, line, index / inner % n, n, uint32_t(s.e)));
  }
  if (s.dist == kChosen) {  // asked beyond the last number too, where no walk would end
    uint64_t n = s.count / s.step;
    return permuted(s.stream, 0, index / s.step % n, n, uint32_t(s.e)) < uint64_t(s.a) ? 1 : 0;
  }
  uint64_t last = s.count / s.step - 1;
  return last == 0 ? s.a : s.a + (s.b - s.a) * (double(index / s.step) / double(last));
}

// A complex element is replaced as a whole, by the mask of its first number.
KBX_DEVICE double with_outliers(const DrawSpec& s, uint64_t index, double drawn) {
  uint64_t first = index - index % s.step;
  Block mask = words_of(s.stream, kMixMask, first / kChunk, uint32_t(first % kQuarter));
  return below(mask.w[first % kChunk / kQuarter], s.c) ? s.d * one_normal(s.stream, kMixValue, index) : drawn;
}

// Numbers part, part + kQuarter, ... of a chunk, in the arithmetic T.
template <class T>
KBX_DEVICE void draw_four(const DrawSpec& s, uint64_t chunk, uint32_t part, double out[4]) {
  T v[4];
  uint64_t first = chunk * kChunk + part;
  switch (s.dist) {
    case kNormal: case kOutliers: case kLognormal:
      normals(s.stream, kBase, chunk, part, v);
      for (int k = 0; k < 4; k++) {
        v[k] = T(s.a) + T(s.b) * v[k];
        out[k] = double(s.dist == kLognormal ? exp_of(v[k]) : v[k]);
        if (s.dist == kOutliers) out[k] = with_outliers(s, first + uint32_t(k) * kQuarter, out[k]);
      }
      return;
    case kUniform:
      units(s.stream, kBase, chunk, part, v);
      for (int k = 0; k < 4; k++) {
        T x = T(s.a) + T(s.b) * v[k];
        out[k] = double(x < T(s.c) ? x : T(s.c));
      }
      return;
    case kPositive:
      units(s.stream, kBase, chunk, part, v);
      for (int k = 0; k < 4; k++) out[k] = double(exp_of(T(s.a) + T(s.b) * v[k]));
      return;
    case kProbability:  // of exponential weights, whose mean is 1
      units(s.stream, kBase, chunk, part, v);
      for (int k = 0; k < 4; k++) {
        T weight = T(0x1p-20) - log_of(v[k] + T(0x1p-25));
        out[k] = double(s.b == 0 ? weight * exp_of(T(-s.a)) : log_of(weight) - T(s.a));
      }
      return;
    case kRandint: return draw_integers<T>(s, chunk, part, out);
    case kBernoulli: {
      Block w = words_of(s.stream, kBase, chunk, part);
      for (int k = 0; k < 4; k++) out[k] = below(w.w[k], s.a) ? 1 : 0;
      return;
    }
    default:
      for (uint32_t k = 0; k < 4; k++) out[k] = indexed(s, first + k * kQuarter);
  }
}

template <class T>
KBX_DEVICE void draw_all(const DrawSpec& s) {
  uint64_t chunks = (s.count + kChunk - 1) / kChunk;
  for (uint64_t item = thread_index(); item < chunks * kQuarter; item += thread_count()) {
    uint64_t chunk = item / kQuarter;
    auto part = uint32_t(item % kQuarter);
    if (chunk * kChunk + part >= s.count) continue;
    double four[4];
    draw_four<T>(s, chunk, part, four);
    for (uint32_t k = 0; k < 4; k++)
      if (uint64_t index = chunk * kChunk + part + k * kQuarter; index < s.count) store_number(s.number, s.to, index, four[k]);
  }
}

}  // namespace kbx::clock::device
