// Structured matrices have their structure, in both fields and in batches.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "suite/matrices.h"

namespace kbx::suite {
namespace {

using C = std::complex<double>;

// Entry (r, c) of matrix b.
struct Matrices {
  std::vector<double> raw;
  int64_t rows, cols;
  bool complex;
  C operator()(int64_t b, int64_t r, int64_t c) const {
    auto k = size_t((b * rows + r) * cols + c);
    return complex ? C(raw[2 * k], raw[2 * k + 1]) : C(raw[k]);
  }
};
Matrices draw(const char* dist, int64_t rows, int64_t cols, Dtype dtype, std::map<std::string, double> params = {}) {
  TensorSpec spec{.shape = {2, rows, cols}, .dtype = dtype, .dist = dist, .params = std::move(params)};
  return {fill_matrices(spec, spec.shape, RandomStream({"m"})), rows, cols, is_complex(dtype)};
}
// Largest deviation of A^H A from I.
double gram_error(const Matrices& a, int64_t b) {
  double worst = 0;
  for (int64_t i = 0; i < a.cols; i++)
    for (int64_t j = 0; j < a.cols; j++) {
      C sum = 0;
      for (int64_t k = 0; k < a.rows; k++) sum += std::conj(a(b, k, i)) * a(b, k, j);
      worst = std::max(worst, std::abs(sum - C(i == j)));
    }
  return worst;
}
C trace(const Matrices& a) {
  C sum = 0;
  for (int64_t k = 0; k < std::min(a.rows, a.cols); k++) sum += a(0, k, k);
  return sum;
}
double frobenius2(const Matrices& a) {
  double sum = 0;
  for (int64_t r = 0; r < a.rows; r++)
    for (int64_t c = 0; c < a.cols; c++) sum += std::norm(a(0, r, c));
  return sum;
}
double spectrum(int64_t k, int64_t n, double cond) { return std::pow(cond, double(k) / double(n - 1)); }

TEST(Matrices, OrthogonalHasOrthonormalColumns) {
  for (Dtype d : {Dtype::f64, Dtype::c128})
    for (int64_t b : {0, 1}) {
      EXPECT_LT(gram_error(draw("orthogonal", 20, 20, d), b), 1e-13);
      EXPECT_LT(gram_error(draw("orthogonal", 20, 7, d), b), 1e-13);
    }
  EXPECT_LT(gram_error(draw("orthogonal", 300, 5, Dtype::f64), 0), 1e-12);  // above kFull
  auto q = draw("orthogonal", 20, 20, Dtype::f64);
  EXPECT_NE(q(0, 0, 0), q(1, 0, 0));
}

// Trace and Frobenius norm of Q diag(s) Q^H are the sum and the sum of squares of s.
TEST(Matrices, SpdHasItsSpectrumAndIsHermitian) {
  for (Dtype d : {Dtype::f64, Dtype::c128})
    for (int64_t n : {1, 2, 30, 300}) {
      if (n == 300 && d == Dtype::c128) continue;
      auto a = draw("spd", n, n, d, {{"cond", 100}});
      double sum = 0, squares = 0;
      for (int64_t k = 0; k < n; k++) {
        double s = n == 1 ? 1 : spectrum(k, n, 100);
        sum += s, squares += s * s;
      }
      EXPECT_NEAR(trace(a).real(), sum, 1e-10 * sum);
      EXPECT_NEAR(frobenius2(a), squares, 1e-10 * squares);
      for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c <= r; c++) ASSERT_EQ(a(0, r, c), std::conj(a(0, c, r)));
      if (n > 2) EXPECT_GT(std::abs(a(0, 0, n - 1)), 0);
    }
}

TEST(Matrices, ConditionedHasItsSingularValues) {
  for (auto [rows, cols] : {std::pair{24, 24}, {24, 10}, {10, 24}}) {
    auto a = draw("conditioned", rows, cols, Dtype::f64, {{"cond", 50}});
    double squares = 0;
    int64_t n = std::min(rows, cols);
    for (int64_t k = 0; k < n; k++) squares += std::pow(spectrum(k, n, 50), 2);
    EXPECT_NEAR(frobenius2(a), squares, 1e-10 * squares);
  }
}

TEST(Matrices, SymmetricAndHermitian) {
  auto plain = draw("symmetric", 9, 9, Dtype::c128),
       hermitian = draw("symmetric", 9, 9, Dtype::c128, {{"hermitian", 1}});
  for (int64_t r = 0; r < 9; r++)
    for (int64_t c = 0; c < 9; c++) {
      EXPECT_EQ(plain(0, r, c), plain(0, c, r));
      EXPECT_EQ(hermitian(0, r, c), std::conj(hermitian(0, c, r)));
    }
  EXPECT_NE(plain(0, 1, 0).imag(), 0);
}

TEST(Matrices, TriangularHasTheRightHalfAndDiagonal) {
  auto lower = draw("triangular", 8, 8, Dtype::f64, {{"cond", 10}}),
       upper = draw("triangular", 8, 8, Dtype::f64, {{"upper", 1}, {"unit", 1}});
  for (int64_t r = 0; r < 8; r++)
    for (int64_t c = 0; c < 8; c++) {
      EXPECT_EQ(lower(0, r, c) == C(0), c > r);
      EXPECT_EQ(upper(0, r, c) == C(0), c < r);
    }
  EXPECT_NEAR(lower(0, 7, 7).real(), 10, 1e-12);
  EXPECT_EQ(upper(0, 5, 5), C(1));
}

// Rank r: every (r+1) x (r+1) minor vanishes; checked by elimination.
TEST(Matrices, LowRankHasItsRank) {
  auto a = draw("low_rank", 12, 9, Dtype::f64, {{"rank", 3}});
  std::vector<std::vector<double>> m(12, std::vector<double>(9));
  for (int64_t r = 0; r < 12; r++)
    for (int64_t c = 0; c < 9; c++) m[size_t(r)][size_t(c)] = a(0, r, c).real();
  size_t rank = 0;
  for (size_t c = 0; c < 9 && rank < 12; c++) {
    size_t pivot = rank;
    for (size_t r = rank; r < 12; r++)
      if (std::fabs(m[r][c]) > std::fabs(m[pivot][c])) pivot = r;
    if (std::fabs(m[pivot][c]) < 1e-10) continue;
    std::swap(m[pivot], m[rank]);
    for (size_t r = rank + 1; r < 12; r++)
      for (size_t j = 9; j-- > c;) m[r][j] -= m[r][c] / m[rank][c] * m[rank][j];
    rank++;
  }
  EXPECT_EQ(rank, 3u);
}

}  // namespace
}  // namespace kbx::suite
