// The other order of accumulation: floats differ by roundings, integers not at all.
#include <cmath>

#include "fixture.h"

namespace kbx::ir {
namespace {

std::vector<float> noisy(size_t n) {
  std::vector<float> v(n);
  uint32_t state = 12345;
  for (float& x : v) {
    state = state * 1664525 + 1013904223;
    x = static_cast<float>(state >> 8) / (1 << 24) - 0.3f;
  }
  return v;
}

// The result of a fixture that takes (input, output), in one order.
template <class T>
std::vector<T> run(const std::string& name, std::vector<T> x, size_t n, Accumulation order, int programs = 1) {
  std::vector<T> y(n);
  TestLaunch launch(name);
  launch.tensor(x).tensor(y);
  launch.spec.accumulation = order;
  Report report = launch.run(programs);
  EXPECT_TRUE(report.completed);
  EXPECT_EQ(found(report), "");
  return y;
}

struct Difference {
  size_t count = 0;
  double largest = 0;
};
template <class T>
Difference between(const std::vector<T>& a, const std::vector<T>& b) {
  Difference d;
  for (size_t k = 0; k < a.size(); k++) {
    d.count += a[k] != b[k];
    d.largest = std::max(d.largest, std::fabs(static_cast<double>(a[k]) - static_cast<double>(b[k])));
  }
  return d;
}
void expect_noise(const std::string& name, size_t inputs, size_t outputs, double most, int programs = 1) {
  auto x = noisy(inputs);
  auto d = between(run(name, x, outputs, Accumulation::forward, programs),
                   run(name, x, outputs, Accumulation::other, programs));
  EXPECT_GT(d.count, 0u) << name;
  EXPECT_LT(d.largest, most) << name;
}

TEST(IrAccumulation, FloatSumsDifferByRoundingsOnly) { expect_noise("reduce", 256, 49, 1e-5); }
TEST(IrAccumulation, FloatScansDifferByRoundingsOnly) { expect_noise("scan", 64, 192, 1e-5); }
TEST(IrAccumulation, FloatProductsDifferByRoundingsOnly) { expect_noise("dot_ieee", 256, 256, 1e-5); }
TEST(IrAccumulation, ReductionsByAFunctionDifferByRoundingsOnly) {
  expect_noise("reduce_two_values", 128 * 64, 64, 1e-5, 64);
}

TEST(IrAccumulation, IntegersDoNotDiffer) {
  std::vector<int8_t> x(1024);
  for (size_t k = 0; k < x.size(); k++) x[k] = static_cast<int8_t>(k * 37);
  auto product = [&](Accumulation order) {
    std::vector<int32_t> y(1024);
    TestLaunch launch("dot_int8");
    launch.tensor(x).tensor(y);
    launch.spec.accumulation = order;
    launch.run();
    return y;
  };
  EXPECT_EQ(product(Accumulation::forward), product(Accumulation::other));
  std::vector<int32_t> v(32);
  for (size_t k = 0; k < v.size(); k++) v[k] = static_cast<int32_t>(k * 7919 % 1000);
  EXPECT_EQ(run("reduce_with_branches", v, 12, Accumulation::forward),
            run("reduce_with_branches", v, 12, Accumulation::other));
}

TEST(IrAccumulation, MaximaAndSortingDoNotDiffer) {
  auto x = noisy(256);
  auto a = run("reduce", x, 49, Accumulation::forward), b = run("reduce", x, 49, Accumulation::other);
  for (size_t k = 32; k < a.size(); k++) EXPECT_EQ(a[k], b[k]) << k;  // max, argmin, min
  auto s = noisy(16);
  EXPECT_EQ(run("scan_with_branches", s, 16, Accumulation::forward),
            run("scan_with_branches", s, 16, Accumulation::other));
}

}  // namespace
}  // namespace kbx::ir
