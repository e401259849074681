// Matrices with given singular values: A = H_u D H_v with D = diag(1 .. cond, logarithmic) and Householder reflections
// H_u = I - 2 u u^H of random unit vectors; spd: v = u, so A is Hermitian and its eigenvalues are D. Written out,
//   A_ij = D_ij - 2 u_i conj(u_j) d_j - 2 d_i v_i conj(v_j) + 4 (u^H D v) u_i conj(v_j),
// so elements are independent once u, v and u^H D v are known. The spectrum is exact up to rounding; the vectors are
// not Haar-distributed as two full orthogonal factors would be.
#pragma once
#include "device_draw.h"

namespace kbx::clock::device {

struct Complex {
  double re = 0, im = 0;
};
KBX_DEVICE Complex times(Complex a, Complex b) { return Complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
KBX_DEVICE Complex conj_of(Complex a) { return Complex{a.re, -a.im}; }
KBX_DEVICE Complex scaled(Complex a, double f) { return Complex{a.re * f, a.im * f}; }
KBX_DEVICE Complex plus(Complex a, Complex b) { return Complex{a.re + b.re, a.im + b.im}; }

struct MatrixSpec {
  DrawSpec draw;             // a = log cond
  uint64_t rows, cols, batches;
  uint64_t scratch;          // (rows + cols + 1) complex numbers a matrix: u, v, u^H D v
};
KBX_DEVICE uint64_t vectors_bytes(const MatrixSpec& m) { return (m.rows + m.cols + 1) * sizeof(Complex); }

KBX_DEVICE double spectrum(const MatrixSpec& m, uint64_t k) {
  uint64_t n = m.rows < m.cols ? m.rows : m.cols;
  if (k >= n) return 0;
  return n <= 1 ? 1 : exp_of(m.draw.a * (double(k) / double(n - 1)));
}
KBX_DEVICE Complex vector_number(const MatrixSpec& m, uint32_t which, uint64_t batch, uint64_t k) {
  uint64_t index = batch << 32 | k * m.draw.step;
  return Complex{one_normal(m.draw.stream, which, index), m.draw.step == 2 ? one_normal(m.draw.stream, which, index + 1) : 0};
}

// One warp a matrix.
KBX_DEVICE void draw_unit(const MatrixSpec& m, uint32_t which, uint64_t batch, uint64_t n, Complex* to) {
  double sum = 0;
  for (uint64_t k = lane(); k < n; k += kWarp) {
    Complex x = vector_number(m, which, batch, k);
    to[k] = x;
    sum += x.re * x.re + x.im * x.im;
  }
  double scale = 1 / root_of(warp_sum(sum));
  for (uint64_t k = lane(); k < n; k += kWarp) to[k] = scaled(to[k], scale);
}
KBX_DEVICE void draw_vectors(const MatrixSpec& m, uint64_t batch) {
  auto u = pointer<Complex>(m.scratch + batch * vectors_bytes(m));
  Complex* v = u + m.rows;
  bool same = m.draw.dist == kSpd;
  draw_unit(m, kFirst, batch, m.rows, u);
  draw_unit(m, same ? kFirst : kSecond, batch, m.cols, v);
  uint64_t n = m.rows < m.cols ? m.rows : m.cols;
  Complex inner;
  for (uint64_t k = lane(); k < n; k += kWarp) inner = plus(inner, scaled(times(conj_of(u[k]), v[k]), spectrum(m, k)));
  inner = Complex{warp_sum(inner.re), warp_sum(inner.im)};
  if (lane() == 0) v[m.cols] = inner;
}

KBX_DEVICE Complex matrix_element(const MatrixSpec& m, uint64_t batch, uint64_t i, uint64_t j) {
  auto u = pointer<const Complex>(m.scratch + batch * vectors_bytes(m));
  const Complex* v = u + m.rows;
  Complex a{i == j ? spectrum(m, i) : 0, 0};
  if (j < m.rows) a = plus(a, scaled(times(u[i], conj_of(u[j])), -2 * spectrum(m, j)));
  if (i < m.cols) a = plus(a, scaled(times(v[i], conj_of(v[j])), -2 * spectrum(m, i)));
  return plus(a, scaled(times(v[m.cols], times(u[i], conj_of(v[j]))), 4));
}
KBX_DEVICE void fill_matrices(const MatrixSpec& m) {
  uint64_t each = m.rows * m.cols, all = each * m.batches;
  for (uint64_t at = thread_index(); at < all; at += thread_count()) {
    uint64_t batch = at / each, i = at % each / m.cols, j = at % m.cols;
    bool upper = m.draw.dist == kSpd && i < j;  // the mirror of the lower half, rounding included
    Complex x = upper ? conj_of(matrix_element(m, batch, j, i)) : matrix_element(m, batch, i, j);
    if (m.draw.dist == kSpd && i == j) x.im = 0;
    store_number(m.draw.number, m.draw.to, at * m.draw.step, x.re);
    if (m.draw.step == 2) store_number(m.draw.number, m.draw.to, at * 2 + 1, x.im);
  }
}

}  // namespace kbx::clock::device
