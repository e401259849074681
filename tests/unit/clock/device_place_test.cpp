// Distributions of the trusted device code that hang on the place of an element, run on the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "clock/device/device_draw.h"

namespace kbx::clock::device {
namespace {

std::vector<double> drawn(DrawSpec s, bool wide) {
  std::vector<double> out(s.count);
  s.to = reinterpret_cast<uint64_t>(out.data());
  s.number = kF64;
  s.stream = {0x12345678, 0x9abcdef0, 42};
  if (wide) draw_all<double>(s);
  else draw_all<float>(s);
  return out;
}

TEST(DeviceDraw, symmetric_and_triangular_matrices) {
  constexpr int kN = 40;
  DrawSpec s;
  s.count = 2 * kN * kN, s.dist = kSymmetric, s.d = kN;
  auto a = drawn(s, true);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < kN; i++)
      for (int j = 0; j < kN; j++) EXPECT_EQ(a[size_t((b * kN + i) * kN + j)], a[size_t((b * kN + j) * kN + i)]);
  EXPECT_NE(a[1], a[kN * kN + 1]);
  double sum = 0;
  for (double v : a) sum += v;
  EXPECT_NEAR(sum / double(a.size()), 0, 0.06);
  DrawSpec t;
  t.count = kN * kN, t.dist = kTriangular, t.a = std::log(100.0), t.b = 0.5 / std::sqrt(double(kN)), t.c = t.d = kN, t.e = 1;
  auto u = drawn(t, true);
  EXPECT_DOUBLE_EQ(u[0], 1);
  EXPECT_NEAR(u[kN * kN - 1], 100, 1e-9);
  for (int i = 0; i < kN; i++)
    for (int j = 0; j < kN; j++) EXPECT_EQ(u[size_t(i * kN + j)] == 0, j < i) << i << " " << j;
}

TEST(DeviceDraw, permutations_along_a_dim_are_permutations_and_differ) {
  for (int n : {1, 2, 7, 100, 1025}) {
    constexpr int kInner = 3, kOuter = 2;
    DrawSpec s;
    s.count = uint64_t(kOuter * n * kInner), s.dist = kPermutation, s.c = n, s.d = kInner, s.e = 1;
    while (std::exp2(2 * s.e) < n) s.e++;
    auto a = drawn(s, true);
    std::set<std::vector<double>> lines;
    for (int o = 0; o < kOuter; o++)
      for (int in = 0; in < kInner; in++) {
        std::vector<double> line;
        for (int k = 0; k < n; k++) line.push_back(a[size_t((o * n + k) * kInner + in)]);
        lines.insert(line);
        std::sort(line.begin(), line.end());
        for (int k = 0; k < n; k++) EXPECT_EQ(line[size_t(k)], k) << n;
      }
    if (n >= 100) EXPECT_EQ(lines.size(), size_t(kOuter * kInner));
  }
}

TEST(DeviceDraw, exactly_as_many_as_wanted_are_chosen_and_anywhere) {
  for (int n : {1, 2, 3, 100, 1025, 40000}) {
    DrawSpec s;
    s.count = uint64_t(n), s.dist = kChosen, s.a = std::floor(0.3 * n + 0.5), s.e = 1;
    while (std::exp2(2 * s.e) < n) s.e++;
    auto a = drawn(s, true);
    EXPECT_EQ(std::count(a.begin(), a.end(), 1.0), std::ptrdiff_t(s.a)) << n;
    EXPECT_EQ(std::count(a.begin(), a.end(), 0.0), std::ptrdiff_t(n - s.a)) << n;
    if (n != 40000) continue;
    for (int part = 0; part < 4; part++) EXPECT_NEAR(double(std::count(a.begin() + part * 10000, a.begin() + (part + 1) * 10000, 1.0)), 3000, 250);
    int runs = 0;  // where neighbours differ: 2 * 0.3 * 0.7 of all if they do not depend on one another
    for (size_t k = 1; k < a.size(); k++) runs += a[k] != a[k - 1];
    EXPECT_NEAR(runs, 0.42 * n, 500);
  }
  DrawSpec c;
  c.count = 2 * 101, c.step = 2, c.dist = kChosen, c.a = 51, c.e = 4;
  auto z = drawn(c, true);
  double real = 0, imaginary = 0;
  for (size_t k = 0; k < z.size(); k++) (k % 2 == 0 ? real : imaginary) += z[k];
  EXPECT_EQ(real, 51);
  EXPECT_EQ(imaginary, 0);
}

TEST(DeviceDraw, probabilities_sum_to_one_nearly) {
  constexpr int kN = 4096;
  DrawSpec s;
  s.count = 2 * kN, s.dist = kProbability, s.a = std::log(double(kN)), s.b = 1;
  auto logs = drawn(s, false);
  s.b = 0;
  auto plain = drawn(s, false);
  double sum = 0;
  for (int k = 0; k < kN; k++) {
    sum += plain[size_t(k)];
    EXPECT_GT(plain[size_t(k)], 0);
    EXPECT_NEAR(std::exp(logs[size_t(k)]), plain[size_t(k)], 1e-5 * plain[size_t(k)] + 1e-12);
  }
  EXPECT_NEAR(sum, 1, 0.1);
}

}  // namespace
}  // namespace kbx::clock::device
