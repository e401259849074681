// The machine's own exponential against double precision, on a kernel written by hand.
#include <cmath>
#include <limits>

#include "fixture.h"

namespace kbx::ir {
namespace {

constexpr const char* kExpKernel = R"("builtin.module"() ({
"tt.func"() <{function_type = (!tt.ptr<f32>) -> (), sym_name = "k", sym_visibility = "public"}> ({
^bb0(%p: !tt.ptr<f32>):
%o = "tt.make_range"() <{end = 4096 : i32, start = 0 : i32}> : () -> tensor<4096xi32>
%s = "tt.splat"(%p) : (!tt.ptr<f32>) -> tensor<4096x!tt.ptr<f32>>
%q = "tt.addptr"(%s, %o) : (tensor<4096x!tt.ptr<f32>>, tensor<4096xi32>) -> tensor<4096x!tt.ptr<f32>>
%v = "tt.load"(%q) : (tensor<4096x!tt.ptr<f32>>) -> tensor<4096xf32>
%e = "math.exp"(%v) : (tensor<4096xf32>) -> tensor<4096xf32>
"tt.store"(%q, %e) : (tensor<4096x!tt.ptr<f32>>, tensor<4096xf32>) -> ()
"tt.return"() : () -> ()
}) : () -> ()
}) : () -> ()
)";

std::vector<float> exponential(std::vector<float> v) {
  v.resize(4096);
  auto program = compile(kExpKernel);
  EXPECT_TRUE(program);
  LaunchSpec spec;
  spec.arguments = {reinterpret_cast<uint64_t>(v.data())};
  spec.ranges = {{reinterpret_cast<uint8_t*>(v.data()), v.size() * sizeof(float), nullptr, 4, 0}};
  EXPECT_TRUE(launch(*program, spec));
  return v;
}

TEST(IrMath, ExpIsWithinOneUlpOverItsRange) {
  std::vector<float> x(4096);
  for (size_t k = 0; k < x.size(); k++) x[k] = -104.0f + 192.5f * static_cast<float>(k) / 4096;
  std::vector<float> y = exponential(x);
  for (size_t k = 0; k < x.size(); k++) {
    double want = std::exp(static_cast<double>(x[k]));
    auto nearest = static_cast<float>(want);
    double ulp = std::nextafter(nearest, INFINITY) - nearest;
    ASSERT_LE(std::fabs(y[k] - want), ulp) << x[k];
  }
}
TEST(IrMath, ExpKnowsItsCorners) {
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> y = exponential({0, inf, -inf, NAN, 200, -200, -0.0f, 88.7f, -87.5f});
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], inf);
  EXPECT_EQ(y[2], 0);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(y[4], inf);
  EXPECT_EQ(y[5], 0);
  EXPECT_EQ(y[6], 1);
  EXPECT_TRUE(std::isfinite(y[7]));
  EXPECT_GT(y[8], 0);
}

}  // namespace
}  // namespace kbx::ir
