// Matrix products. Of f32 operands the tensor cores read tf32 when the kernel asks for it: the ten leading fraction bits,
// the others are cut off, not rounded (measured on an H200, docs/ir-agreement.md).
#include "ir/ops_dot.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ir/small_float.h"
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace kbx::ir {
namespace {

void cut_to_tf32(float* v, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) {
    auto u = std::bit_cast<uint32_t>(v[k]);
    bool special = (u & 0x7f800000) == 0x7f800000;
    v[k] = std::bit_cast<float>(special ? u : u & 0xffffe000);
  }
}

void multiply_cell(const FloatProduct& o, uint32_t row, uint32_t column) {
  float s = o.d[uint64_t{row} * o.n + column];
  for (uint32_t k = 0; k < o.k; k++) s = std::fma(o.a[uint64_t{row} * o.k + k], o.b[uint64_t{k} * o.n + column], s);
  o.d[uint64_t{row} * o.n + column] = s;
}

#if defined(__AVX2__) && defined(__FMA__)
// A 4 x 16 tile of d stays in registers while k runs.
void multiply_tile(const FloatProduct& o, uint32_t row, uint32_t column) {
  __m256 t[4][2];
  for (int r = 0; r < 4; r++)
    for (int h = 0; h < 2; h++) t[r][h] = _mm256_loadu_ps(o.d + uint64_t{row + r} * o.n + column + 8 * h);
  for (uint32_t k = 0; k < o.k; k++) {
    const float* b = o.b + uint64_t{k} * o.n + column;
    __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
    for (int r = 0; r < 4; r++) {
      __m256 a = _mm256_broadcast_ss(o.a + uint64_t{row + r} * o.k + k);
      t[r][0] = _mm256_fmadd_ps(a, b0, t[r][0]);
      t[r][1] = _mm256_fmadd_ps(a, b1, t[r][1]);
    }
  }
  for (int r = 0; r < 4; r++)
    for (int h = 0; h < 2; h++) _mm256_storeu_ps(o.d + uint64_t{row + r} * o.n + column + 8 * h, t[r][h]);
}
#else
void multiply_tile(const FloatProduct& o, uint32_t row, uint32_t column) {
  for (uint32_t r = row; r < row + 4; r++)
    for (uint32_t k = 0; k < o.k; k++) {
      float a = o.a[uint64_t{r} * o.k + k];
      for (uint32_t j = column; j < column + 16; j++)
        o.d[uint64_t{r} * o.n + j] = std::fma(a, o.b[uint64_t{k} * o.n + j], o.d[uint64_t{r} * o.n + j]);
    }
}
#endif

// Sums wrap: D is unsigned for integers.
template <class A, class D>
void multiply_plain(D* d, const A* a, const A* b, const DotShape& s) {
  for (uint64_t r = 0; r < s.m; r++)
    for (uint64_t k = 0; k < s.k; k++) {
      D x = static_cast<D>(a[r * s.k + k]);
      for (uint64_t j = 0; j < s.n; j++) d[r * s.n + j] += x * static_cast<D>(b[k * s.n + j]);
    }
}

// k descending from 0, the accumulator last.
template <class D>
void multiply_backwards(D* d, const D* a, const D* b, const DotShape& s) {
  std::vector<D> row(s.n);
  for (uint64_t r = 0; r < s.m; r++) {
    std::fill(row.begin(), row.end(), D(0));
    for (uint64_t k = s.k; k-- > 0;)
      for (uint64_t j = 0; j < s.n; j++) row[j] = std::fma(a[r * s.k + k], b[k * s.n + j], row[j]);
    for (uint64_t j = 0; j < s.n; j++) d[r * s.n + j] += row[j];
  }
}

}  // namespace

void multiply_floats(const FloatProduct& o, Accumulation order) {
  if (order == Accumulation::other) return multiply_backwards(o.d, o.a, o.b, DotShape{.m = o.m, .n = o.n, .k = o.k});
  uint32_t rows = o.m / 4 * 4, columns = o.n / 16 * 16;
  for (uint32_t r = 0; r < rows; r += 4)
    for (uint32_t j = 0; j < columns; j += 16) multiply_tile(o, r, j);
  for (uint32_t r = 0; r < o.m; r++)
    for (uint32_t j = r < rows ? columns : 0; j < o.n; j++) multiply_cell(o, r, j);
}

void dot(Context& c, const Inst& i) {
  const DotShape& s = i.extra->dot;
  uint64_t an = uint64_t{s.m} * s.k, bn = uint64_t{s.k} * s.n, dn = uint64_t{s.m} * s.n;
  std::memcpy(c.arena + i.out, c.arena + i.c, dn * s.batch * lane_bytes(s.result));
  const float* a = c.at<float>(i.a);
  const float* b = c.at<float>(i.b);
  Accumulation order = c.shared->accumulation;
  if (s.tf32) {
    float* t = c.at<float>(i.extra->temp);
    std::memcpy(t, a, an * s.batch * sizeof(float));
    std::memcpy(t + an * s.batch, b, bn * s.batch * sizeof(float));
    cut_to_tf32(t, (an + bn) * s.batch);
    a = t;
    b = t + an * s.batch;
  }
  for (uint64_t q = 0; q < s.batch; q++) {
    if (s.result == Kind::f64)
      (order == Accumulation::other ? multiply_backwards<double>
                                    : multiply_plain<double, double>)(c.at<double>(i.out) + q * dn,
                                                                      c.at<double>(i.a) + q * an,
                                                                      c.at<double>(i.b) + q * bn, s);
    else if (s.result == Kind::i32)
      multiply_plain(c.at<uint32_t>(i.out) + q * dn, c.at<int8_t>(i.a) + q * an, c.at<int8_t>(i.b) + q * bn, s);
    else
      multiply_floats({c.at<float>(i.out) + q * dn, a + q * an, b + q * bn, s.m, s.n, s.k}, order);
  }
  if (is_small_float(i.round)) round_floats(i.round, c.at<float>(i.out), static_cast<uint32_t>(dn * s.batch));
}

}  // namespace kbx::ir
