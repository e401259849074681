// Oracle `close` on float64: what float32 leaves behind, and what a kernel's float arguments do.
#include "tensors.h"

#include <gtest/gtest.h>

namespace kbx::judge {
namespace {

TEST(CloseFloat64, Float64KeptAsFloat32FailsAndAFewRoundingsPass) {
  Asked q;
  std::vector<double> truth = normals(512, 21);
  q.truth = q.eager = value(Dtype::f64, {512}, truth);
  q.got = value(Dtype::f64, {512}, mapped(truth, [](double x) { return x * (1 + 50 * 0x1p-53); }));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f64, {512}, rounded_f32(truth));
  EXPECT_EQ(q.paper().verdict, Verdict::correct);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(CloseFloat64, WhereATaskTakesFloatsTheirRoundingToFloat32IsNoFaultButFloat32Is) {
  Asked q;
  ArgSpec lr;
  lr.kind = ArgSpec::Kind::floating;
  q.task.cases.push_back({.name = "step", .args = {{"lr", lr}}});
  std::vector<double> x = normals(512, 24);
  auto times = [&](double factor) { return mapped(x, [factor](double v) { return v * factor; }); };
  q.truth = q.eager = value(Dtype::f64, {512}, times(0.3));
  q.got = value(Dtype::f64, {512}, times(double(0.3F)));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f64, {512}, times(0.3001));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = value(Dtype::f64, {512}, rounded_f32(times(0.3)));
  Judgement j = q.kbx();
  EXPECT_EQ(j.verdict, Verdict::wrong_value);
  EXPECT_NE(j.explanation.find("every value is a float32"), std::string::npos) << j.explanation;
  q.truth = q.eager = value(Dtype::f64, {}, {0.3 * x[0]});  // a sum
  q.got = value(Dtype::f64, {}, rounded_f32({0.3 * x[0]}));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  // A float that is only stored, and numbers that float32 holds anyway.
  q.truth = q.eager = value(Dtype::f64, {512}, std::vector<double>(512, 0.3));
  q.got = value(Dtype::f64, {512}, std::vector<double>(512, double(0.3F)));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.truth = q.eager = q.got = value(Dtype::f64, {512}, rounded_f32(x));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(CloseFloat64, AnIllConditionedFloat64ResultMayLoseWhatItsFloat32Shows) {
  Asked q;  // a difference of numbers 10^6 times its size
  std::vector<double> truth = normals(512, 22), large = mapped(normals(512, 23), [](double v) { return 1e6 * v; });
  auto difference = [&](auto round) {
    std::vector<double> out(512);
    for (size_t k = 0; k < 512; k++) out[k] = round(truth[k] + large[k]) - round(large[k]);
    return out;
  };
  auto as_f32 = [](double v) { return double(float(v)); };
  auto last_bit = [](double v) { return v * (1 + 0x1p-52); };
  q.truth = q.eager = value(Dtype::f64, {512}, truth);
  q.got = value(Dtype::f64, {512}, difference(last_bit));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.narrow = value(Dtype::f32, {512}, difference(as_f32));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f64, {512}, difference(as_f32));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.narrow = Value();  // the reference could not do it
  q.got = value(Dtype::f64, {512}, truth);
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

}  // namespace
}  // namespace kbx::judge
