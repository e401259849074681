// The trusted device code's arithmetic, run on the host: random numbers, number formats, matrices, comparison.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/philox.h"
#include "clock/device/trusted.cu"

namespace kbx::clock::device {
namespace {

constexpr Stream kStream{0x12345678, 0x9abcdef0, 42};
constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

TEST(DeviceRandom, is_philox_as_the_cpu_has_it) {
  for (uint64_t index : {uint64_t(0), uint64_t(7), uint64_t(1) << 33}) {
    Block b = block_of(kStream, kFirst, index);
    PhiloxBlock expected = philox4x32_10({uint32_t(index), uint32_t(index >> 32), kFirst, 42}, {kStream.key0, kStream.key1});
    for (size_t k = 0; k < 4; k++) EXPECT_EQ(b.w[k], expected[k]);
  }
}

TEST(DeviceRandom, elementary_functions_agree_with_the_standard_library) {
  for (double x = 1e-9; x < 1e9; x *= 1.7) {
    EXPECT_NEAR(log_of(x), std::log(x), 1e-14 * (1 + std::fabs(std::log(x))));
    EXPECT_NEAR(log_of(float(x)), std::log(float(x)), 3e-7 * (1 + std::fabs(std::log(x))));
  }
  for (double x = -80; x < 80; x += 0.37) {
    EXPECT_NEAR(exp_of(x) / std::exp(x), 1, 1e-14);
    EXPECT_NEAR(exp_of(float(x)) / std::exp(float(x)), 1, 3e-6);
  }
}

TEST(DeviceRandom, box_muller_by_its_formula) {
  for (uint32_t k = 1; k < 200; k++) {
    uint32_t r = k * 21474836u, angle = k * 0x9e3779b9u;
    float a = 0, b = 0;
    box_muller(r, angle, a, b);
    double radius = std::sqrt(-2 * std::log((double(r >> 1) + 0.5) * 0x1p-31));
    // The angle: a quadrant and a signed rest of up to an eighth of a turn.
    double turn = (angle >> 30) * std::numbers::pi / 2 + double(int32_t(angle << 2)) * 0x1p-31 * std::numbers::pi / 4;
    EXPECT_NEAR(a, radius * std::cos(turn), 2e-6 * radius + 1e-6);
    EXPECT_NEAR(b, radius * std::sin(turn), 2e-6 * radius + 1e-6);
  }
}

std::vector<double> drawn(DrawSpec s, bool wide) {
  std::vector<double> out(s.count);
  s.to = reinterpret_cast<uint64_t>(out.data());
  s.number = kF64;
  s.stream = kStream;
  if (wide) draw_double(s);
  else draw_single(s);
  return out;
}
struct Moments {
  double mean = 0, sd = 0, least = 1e300, most = -1e300;
};
Moments moments(const std::vector<double>& x) {
  Moments m;
  for (double v : x) {
    m.mean += v / double(x.size());
    m.least = std::min(m.least, v);
    m.most = std::max(m.most, v);
  }
  for (double v : x) m.sd += (v - m.mean) * (v - m.mean) / double(x.size());
  m.sd = std::sqrt(m.sd);
  return m;
}

TEST(DeviceDraw, normal_numbers_have_their_moments_and_tails) {
  for (bool wide : {false, true}) {
    DrawSpec s;
    s.count = 200001, s.dist = kNormal, s.a = 3, s.b = 2;
    auto x = drawn(s, wide);
    Moments m = moments(x);
    EXPECT_NEAR(m.mean, 3, 0.02);
    EXPECT_NEAR(m.sd, 2, 0.02);
    double beyond = 0;
    for (double v : x) beyond += std::fabs(v - 3) > 2 * 1.959964;
    EXPECT_NEAR(beyond / double(s.count), 0.05, 0.002);
  }
}

TEST(DeviceDraw, every_position_is_drawn_and_no_two_streams_agree) {
  DrawSpec s;
  s.count = 5000, s.dist = kNormal, s.b = 1;
  auto a = drawn(s, false);
  int zeros = 0, equal = 0;
  for (double v : a) zeros += v == 0;
  for (size_t k = kQuarter; k < a.size(); k++) equal += a[k] == a[k - kQuarter];
  EXPECT_EQ(zeros, 0);
  EXPECT_LT(equal, 3);
}

TEST(DeviceDraw, uniform_stays_below_its_bound_and_fills_its_range) {
  DrawSpec s;
  s.count = 100000, s.dist = kUniform, s.a = -1, s.b = 3, s.c = std::nextafter(2.0f, 0.0f);
  Moments m = moments(drawn(s, false));
  EXPECT_GE(m.least, -1);
  EXPECT_LT(m.most, 2);
  EXPECT_NEAR(m.mean, 0.5, 0.02);
  EXPECT_NEAR(m.sd, 3 / std::sqrt(12.0), 0.02);
}

TEST(DeviceDraw, integers_classes_and_coins) {
  DrawSpec s;
  s.count = 60000, s.dist = kRandint, s.a = -2, s.b = 6;
  auto x = drawn(s, true);
  std::vector<int> seen(6);
  for (double v : x) {
    ASSERT_EQ(v, std::floor(v));
    ASSERT_TRUE(v >= -2 && v < 4);
    seen[size_t(v + 2)]++;
  }
  for (int n : seen) EXPECT_NEAR(n, 10000, 500);
  s.a = 0, s.c = 1, s.d = -100, s.e = 0.25;
  int ignored = 0;
  for (double v : drawn(s, true)) ignored += v == -100;
  EXPECT_NEAR(ignored, 15000, 500);
  DrawSpec coin;
  coin.count = 60000, coin.dist = kBernoulli, coin.a = 0.3;
  EXPECT_NEAR(moments(drawn(coin, false)).mean, 0.3, 0.01);
}

TEST(DeviceDraw, ramps_constants_values_and_outliers) {
  DrawSpec s;
  s.count = 11, s.dist = kLinspace, s.a = 1, s.b = 2;
  EXPECT_DOUBLE_EQ(drawn(s, true)[3], 1.3);
  std::vector<double> table{5, 6, 7};
  s.dist = kValues, s.values = reinterpret_cast<uint64_t>(table.data()), s.value_count = 3;
  EXPECT_EQ(drawn(s, true)[7], 6);
  DrawSpec o;
  o.count = 100000, o.dist = kOutliers, o.b = 1, o.c = 0.01, o.d = 50;
  int far = 0;
  for (double v : drawn(o, false)) far += std::fabs(v) > 8;
  EXPECT_NEAR(far, 100000 * 0.01 * 0.873, 120);
  DrawSpec p;
  p.count = 100000, p.dist = kPositive, p.a = std::log(0.1), p.b = std::log(4.0) - std::log(0.1);
  Moments m = moments(drawn(p, false));
  EXPECT_GT(m.least, 0.0999);
  EXPECT_LT(m.most, 4.001);
}

// ---- number formats

TEST(DeviceNumbers, every_small_float_survives_the_way_there_and_back) {
  for (uint32_t number : {kF16, kBf16, kF8e4m3, kF8e5m2}) {
    SmallFloat f = small_float(number);
    for (uint32_t code = 0; code < 1u << (1 + f.exponent + f.mantissa); code++) {
      double v = decode_small(code, f);
      if (v == v) ASSERT_EQ(encode_small(v, f), code) << number << " " << code;
    }
  }
}

TEST(DeviceNumbers, rounding_is_to_nearest_even) {
  SmallFloat half = small_float(kF16), f8 = small_float(kF8e4m3);
  EXPECT_EQ(encode_small(1 + 0x1p-11, half), 0x3c00u);
  EXPECT_EQ(encode_small(1 + 3 * 0x1p-11, half), 0x3c02u);
  EXPECT_EQ(encode_small(65519.9, half), 0x7bffu);
  EXPECT_EQ(encode_small(65520, half), 0x7c00u);
  EXPECT_EQ(encode_small(-1e300, half), 0xfc00u);
  EXPECT_EQ(encode_small(0x1p-25, half), 0u);
  EXPECT_EQ(encode_small(0x1.8p-25, half), 1u);
  EXPECT_EQ(encode_small(kNan, half), 0x7e00u);
  EXPECT_EQ(encode_small(1.0, small_float(kBf16)), 0x3f80u);
  EXPECT_EQ(encode_small(448, f8), 0x7eu);
  EXPECT_EQ(encode_small(464, f8), 0x7eu);
  EXPECT_EQ(encode_small(465, f8), 0x7fu);
  EXPECT_EQ(encode_small(-0.0, half), 0x8000u);
}

TEST(DeviceNumbers, bf16_agrees_with_rounding_a_float) {
  for (uint32_t bits = 0x3f800000; bits < 0x3f900000; bits += 977) {
    auto x = std::bit_cast<float>(bits);
    uint32_t expected = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    ASSERT_EQ(encode_small(double(x), small_float(kBf16)), expected);
  }
}

TEST(DeviceNumbers, integers_are_kept_within_their_range) {
  int8_t small[4];
  auto at = reinterpret_cast<uint64_t>(small);
  store_number(kI8, at, 0, 1000);
  store_number(kI8, at, 1, -1000);
  store_number(kI8, at, 2, 2.5);
  store_number(kI8, at, 3, kNan);
  EXPECT_EQ(small[0], 127);
  EXPECT_EQ(small[1], -128);
  EXPECT_EQ(small[2], 2);
  EXPECT_EQ(small[3], 0);
  int64_t wide = 0;
  store_number(kI64, reinterpret_cast<uint64_t>(&wide), 0, 1e30);
  EXPECT_EQ(wide, std::numeric_limits<int64_t>::max());
}

// ---- matrices

std::vector<double> matrix(uint32_t dist, uint64_t rows, uint64_t cols, double cond, uint32_t step) {
  MatrixSpec m{};
  std::vector<double> out(rows * cols * step);
  std::vector<Complex> scratch(rows + cols + 1);
  m.draw.dist = dist, m.draw.number = step == 2 ? kC128 : kF64, m.draw.step = step, m.draw.stream = kStream, m.draw.a = std::log(cond);
  m.draw.to = reinterpret_cast<uint64_t>(out.data());
  m.rows = rows, m.cols = cols, m.batches = 1, m.scratch = reinterpret_cast<uint64_t>(scratch.data());
  draw_reflectors(m);
  draw_matrices(m);
  return out;
}
// The largest eigenvalue of A^T A shifted, by power iteration; A is rows x cols, real.
double largest(const std::vector<double>& a, size_t rows, size_t cols, double shift) {
  std::vector<double> x(cols, 1), y(rows), z(cols);
  for (size_t k = 0; k < cols; k++) x[k] = 1 + double(k % 3);
  double norm = 0;
  for (int it = 0; it < 3000; it++) {
    for (size_t r = 0; r < rows; r++) {
      y[r] = 0;
      for (size_t c = 0; c < cols; c++) y[r] += a[r * cols + c] * x[c];
    }
    norm = 0;
    for (size_t c = 0; c < cols; c++) {
      z[c] = shift * x[c];
      for (size_t r = 0; r < rows; r++) z[c] += (shift > 0 ? -1 : 1) * a[r * cols + c] * y[r];
      norm += z[c] * z[c];
    }
    norm = std::sqrt(norm);
    for (size_t c = 0; c < cols; c++) x[c] = z[c] / norm;
  }
  return norm;
}

TEST(DeviceMatrix, conditioned_has_the_singular_values_it_says) {
  for (auto [rows, cols] : {std::pair<size_t, size_t>{12, 12}, {15, 9}, {7, 12}}) {
    auto a = matrix(kConditioned, rows, cols, 50, 1);
    EXPECT_NEAR(std::sqrt(largest(a, rows, cols, 0)), 50, 1e-6);
    double frobenius = 0, expected = 0;
    for (double v : a) frobenius += v * v;
    size_t n = std::min(rows, cols);
    for (size_t k = 0; k < n; k++) expected += std::pow(50.0, 2 * double(k) / double(n - 1));
    EXPECT_NEAR(frobenius, expected, 1e-8 * expected);
    // 9 I - A^T A of cond 3: its largest eigenvalue is 9 - 1 for full column rank.
    if (rows >= cols) EXPECT_NEAR(largest(matrix(kConditioned, rows, cols, 3, 1), rows, cols, 9), 8, 1e-6);
  }
}

TEST(DeviceMatrix, spd_is_symmetric_with_positive_eigenvalues) {
  constexpr size_t n = 10;
  auto a = matrix(kSpd, n, n, 20, 1);
  double trace = 0, expected = 0;
  for (size_t r = 0; r < n; r++) {
    for (size_t c = 0; c < n; c++) ASSERT_EQ(a[r * n + c], a[c * n + r]);
    trace += a[r * n + r];
    expected += std::pow(20.0, double(r) / double(n - 1));
  }
  EXPECT_NEAR(trace, expected, 1e-10 * expected);
  EXPECT_NEAR(std::sqrt(largest(a, n, n, 0)), 20, 1e-6);
  double off = 0;
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < r; c++) off += std::fabs(a[r * n + c]);
  EXPECT_GT(off, 1);
}

TEST(DeviceMatrix, complex_spd_is_hermitian) {
  constexpr size_t n = 6;
  auto a = matrix(kSpd, n, n, 20, 2);
  double imaginary = 0;
  for (size_t r = 0; r < n; r++)
    for (size_t c = 0; c < n; c++) {
      EXPECT_EQ(a[2 * (r * n + c)], a[2 * (c * n + r)]);
      EXPECT_EQ(a[2 * (r * n + c) + 1], -a[2 * (c * n + r) + 1]);
      imaginary += std::fabs(a[2 * (r * n + c) + 1]);
    }
  EXPECT_GT(imaginary, 1);
}

// ---- comparison

template <class T>
CompareTotals compared(const std::vector<T>& c, const std::vector<T>& r, uint32_t number, double atol, double rtol, double rtol_rms = 0, bool exact = false) {
  uint32_t step = number == kC128 ? 2 : 1;
  CompareSpec s{reinterpret_cast<uint64_t>(c.data()), reinterpret_cast<uint64_t>(r.data()), c.size() / step, number, step, atol, rtol, rtol_rms, exact};
  CompareTotals t{};
  compare_first(s, &t);
  compare_second(s, &t);
  return t;
}

TEST(DeviceCompare, tolerance_is_the_sum_of_its_three_parts) {
  EXPECT_EQ(compared<double>({1.1}, {1}, kF64, 0.11, 0).mismatches, 0u);
  EXPECT_EQ(compared<double>({1.1}, {1}, kF64, 0.09, 0).mismatches, 1u);
  EXPECT_EQ(compared<double>({11}, {10}, kF64, 0, 0.11).mismatches, 0u);
  EXPECT_EQ(compared<double>({11}, {10}, kF64, 0, 0.09).mismatches, 1u);
  // rms of {0, 10} is 7.07.
  EXPECT_EQ(compared<double>({0.7, 10}, {0, 10}, kF64, 0, 0, 0.1).mismatches, 0u);
  EXPECT_EQ(compared<double>({0.72, 10}, {0, 10}, kF64, 0, 0, 0.1).mismatches, 1u);
}

TEST(DeviceCompare, nan_and_infinities_equal_only_themselves) {
  auto t = compared<double>({kNan, 1, kInf, kInf, -kInf, kNan}, {kNan, kNan, kInf, 1, kInf, 2}, kF64, 1e9, 1);
  EXPECT_EQ(t.mismatches, 4u);
  EXPECT_EQ(t.nan, 2u);
  EXPECT_EQ(t.finite_reference, 2u);
  EXPECT_EQ(std::bit_cast<double>(t.max_abs), 0);
}

TEST(DeviceCompare, figures_are_of_the_differences) {
  auto t = compared<double>({1, 5, 2}, {1, 2, -2}, kF64, 0, 0);
  EXPECT_EQ(std::bit_cast<double>(t.max_abs), 4);
  EXPECT_DOUBLE_EQ(t.sum_difference, 25);
  EXPECT_DOUBLE_EQ(t.sum_reference, 9);
}

TEST(DeviceCompare, complex_numbers_by_their_modulus_and_integers_exactly) {
  EXPECT_EQ(compared<double>({3, 4}, {0, 0}, kC128, 5.01, 0).mismatches, 0u);
  EXPECT_EQ(compared<double>({3, 4}, {0, 0}, kC128, 4.99, 0).mismatches, 1u);
  int64_t big = (int64_t(1) << 60) + 1;
  EXPECT_EQ(compared<int64_t>({big}, {big - 1}, kI64, 0, 0, 0, true).mismatches, 1u);
  EXPECT_EQ(compared<int64_t>({big}, {big}, kI64, 0, 0, 0, true).mismatches, 0u);
}

TEST(DeviceBytes, poison_guard_and_copies_work_at_any_address) {
  for (uint64_t shift = 0; shift < 5; shift++)
    for (uint64_t size : {0u, 1u, 2u, 3u, 5u, 8u, 30u}) {
      alignas(8) uint8_t memory[64] = {}, copy[64] = {};
      Piece piece{reinterpret_cast<uint64_t>(memory) + 8 + shift, size};
      poison_pieces(&piece, 1);
      for (uint64_t k = 0; k < 64; k++) ASSERT_EQ(memory[k] != 0, k >= 8 + shift && k < 8 + shift + size);
      GuardTotals totals{0, ~0ull};
      guard_pieces(&piece, 1, &totals);
      ASSERT_EQ(totals.words, 0u);
      Move move{reinterpret_cast<uint64_t>(copy) + 3, piece.at, size};
      move_pieces(&move, 1);
      ASSERT_EQ(std::vector<uint8_t>(copy + 3, copy + 3 + size), std::vector<uint8_t>(memory + 8 + shift, memory + 8 + shift + size));
      if (size == 0) continue;
      memory[8 + shift + size - 1] ^= 0x55;
      guard_pieces(&piece, 1, &totals);
      ASSERT_EQ(totals.words, 1u) << shift << " " << size;
    }
}

TEST(DeviceBytes, checksum_sees_a_changed_bit_and_swapped_words) {
  std::vector<uint64_t> a{1, 2, 3, 4};
  auto sum = [&](uint64_t key) {
    uint64_t out = 0;
    checksum({reinterpret_cast<uint64_t>(a.data()), 32}, key, &out);
    return out;
  };
  uint64_t before = sum(9);
  EXPECT_NE(before, sum(10));
  std::swap(a[0], a[1]);
  EXPECT_NE(before, sum(9));
  std::swap(a[0], a[1]);
  EXPECT_EQ(before, sum(9));
  a[3] ^= 1ull << 63;
  EXPECT_NE(before, sum(9));
}

}  // namespace
}  // namespace kbx::clock::device
