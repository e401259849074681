// Elements of drawn tensors that depend on their place: symmetric and triangular matrices, permutations.
#pragma once
#include "device_random.h"

namespace kbx::clock::device {

// Matrices one after another, row-major.
struct Place {
  uint64_t first, row, column;  // first: index of the matrix's first element
};
KBX_DEVICE Place place_of(uint64_t index, uint64_t rows, uint64_t columns) {
  uint64_t inside = index % (rows * columns);
  return {index - inside, inside / columns, inside % columns};
}

// (N + N^T) / 2 of normal N.
KBX_DEVICE double symmetric_element(const Stream& s, uint64_t index, uint64_t n) {
  Place p = place_of(index, n, n);
  return 0.5 * (one_normal(s, kFirst, index) + one_normal(s, kFirst, p.first + p.column * n + p.row));
}

// D (I + N), N strictly triangular: D from 1 to exp(log_cond), logarithmic (or 1), N of standard deviation `spread`.
struct Triangle {
  uint64_t rows, columns;
  double log_cond, spread;
  bool upper, unit;
};
KBX_DEVICE double triangular_element(const Stream& s, uint64_t index, const Triangle& t) {
  Place p = place_of(index, t.rows, t.columns);
  if (p.row != p.column && (p.column > p.row) != t.upper) return 0;
  uint64_t least = t.rows < t.columns ? t.rows : t.columns, k = p.row < least ? p.row : least - 1;
  double d = t.unit || least < 2 ? 1 : exp_of(t.log_cond * (double(k) / double(least - 1)));
  return p.row == p.column ? d : one_normal(s, kFirst, index) * t.spread * d;
}

// Where k stands in a permutation of 0..n-1, another one for each line: a Feistel network over the least even number of
// bits that holds n, walked until it is back inside. half: half of these bits, 1 to 31.
KBX_DEVICE uint64_t permuted(const Stream& s, uint64_t line, uint64_t k, uint64_t n, uint32_t half) {
  constexpr uint32_t kRounds = 6;
  const uint64_t mask = (uint64_t(1) << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint32_t round = 0; round < kRounds; round++) {
      Block w = block_of(s, kSecond, (line * kRounds + round) << half | right);
      uint64_t next = left ^ (w.w[0] & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

}  // namespace kbx::clock::device
