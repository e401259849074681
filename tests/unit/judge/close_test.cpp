// Oracle close: what honest kernels do passes, what wrong ones do fails.
#include <gtest/gtest.h>

#include "judge/view.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

struct Product {
  int64_t m = 16, k = 256, n = 24;
  std::vector<double> a = rounded_f32(normals(16 * 256, 21)), b = rounded_f32(normals(256 * 24, 22));

  // Each output from the products a[i,k] b[k,j] in order.
  std::vector<double> each(
      const std::function<double(const std::vector<double>&, const std::vector<double>&)>& dot) const {
    std::vector<double> out;
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) {
        std::vector<double> x, y;
        for (int64_t q = 0; q < k; q++) x.push_back(a[size_t(i * k + q)]), y.push_back(b[size_t(q * n + j)]);
        out.push_back(dot(x, y));
      }
    return out;
  }
};

double dot64(const std::vector<double>& x, const std::vector<double>& y) {
  double s = 0;
  for (size_t k = 0; k < x.size(); k++) s += x[k] * y[k];
  return s;
}
double dot_abs(const std::vector<double>& x, const std::vector<double>& y) {
  double s = 0;
  for (size_t k = 0; k < x.size(); k++) s += std::abs(x[k] * y[k]);
  return s;
}
float dot32(const std::vector<double>& x, const std::vector<double>& y) {
  float s = 0;
  for (size_t k = 0; k < x.size(); k++) s += float(x[k]) * float(y[k]);
  return s;
}
float dot32_backwards_fma(const std::vector<double>& x, const std::vector<double>& y) {
  float s = 0;
  for (size_t k = x.size(); k-- > 0;) s = std::fma(float(x[k]), float(y[k]), s);
  return s;
}
float dot32_blocks(const std::vector<double>& x, const std::vector<double>& y) {
  float total = 0;
  for (size_t from = 0; from < x.size(); from += 32) {
    float s = 0;
    for (size_t k = from; k < std::min(x.size(), from + 32); k++) s += float(x[k]) * float(y[k]);
    total += s;
  }
  return total;
}
float tf32(double v) { return std::bit_cast<float>((std::bit_cast<uint32_t>(float(v)) + 0x1000u) & 0xffffe000u); }
float dot_tf32(const std::vector<double>& x, const std::vector<double>& y) {
  float s = 0;
  for (size_t k = 0; k < x.size(); k++) s += tf32(x[k]) * tf32(y[k]);
  return s;
}
double dot_f16_accumulator(const std::vector<double>& x, const std::vector<double>& y) {
  float s = 0;
  for (size_t k = 0; k < x.size(); k++) s = View(tensor(Dtype::f16, {}, {double(s) + x[k] * y[k]})).at(0);
  return s;
}

Asked product(Dtype dtype, const Product& p, const std::vector<double>& got) {
  Asked q;
  std::vector<int64_t> shape{p.m, p.n};
  q.got = value(dtype, shape, got);
  q.eager = value(dtype, shape, p.each(dot32));
  q.truth = value(Dtype::f64, shape, p.each(dot64));
  q.permuted = value(dtype, shape, p.each(dot32_blocks));
  q.magnitude = value(Dtype::f64, shape, p.each(dot_abs));
  q.oracle().magnitude = true;
  return q;
}

TEST(Close, OtherSummationOrdersOfADotProductPass) {
  Product p;
  EXPECT_EQ(product(Dtype::f32, p, p.each(dot32_backwards_fma)).kbx().verdict, Verdict::correct);
  EXPECT_EQ(product(Dtype::f32, p, p.each(dot32_blocks)).kbx().verdict, Verdict::correct);
  Asked without = product(Dtype::f32, p, p.each(dot32_backwards_fma));
  without.oracle().magnitude = false;  // the noise floor alone is enough
  EXPECT_EQ(without.kbx().verdict, Verdict::correct);
}

TEST(Close, Tf32PassesOnlyWhereTheTaskAllowsIt) {
  Product p;
  Asked q = product(Dtype::f32, p, p.each(dot_tf32));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.task.tf32 = true;
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Close, AWrongResultFailsEvenWhereTf32IsAllowed) {
  Product p;
  auto got = p.each(dot64);
  got[5] *= 1.2;
  Asked q = product(Dtype::f32, p, got);
  q.task.tf32 = true;
  if (std::abs(got[5]) < 4) got[5] += 2, q.got = value(Dtype::f32, {p.m, p.n}, got);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, HalfAccumulationFailsHalfRoundingPasses) {
  Product p;
  p.a = View(tensor(Dtype::f16, {16 * 256}, p.a)).all();
  p.b = View(tensor(Dtype::f16, {256 * 24}, p.b)).all();
  EXPECT_EQ(product(Dtype::f16, p, p.each(dot32_backwards_fma)).kbx().verdict, Verdict::correct);
  EXPECT_EQ(product(Dtype::f16, p, p.each(dot_f16_accumulator)).kbx().verdict, Verdict::wrong_value);
}

TEST(Close, Bfloat16OneUlpPassesThreeFail) {
  Asked q;
  std::vector<double> truth = mapped(uniforms(512, 3), [](double u) { return 1 + 0.99 * u; });
  q.truth = value(Dtype::f64, {512}, truth);
  q.eager = value(Dtype::bf16, {512}, truth);
  auto shifted = [&](double ulps) {
    return value(Dtype::bf16, {512}, mapped(View(q.eager.tensor).all(), [&](double x) { return x + ulps * 0x1p-7; }));
  };
  q.got = shifted(1);
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = shifted(3);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, SaysHowMuchOfTheAllowedErrorWasTaken) {
  Asked q;
  std::vector<double> truth(512, 1.0);
  q.truth = value(Dtype::f64, {512}, truth);
  q.eager = value(Dtype::f32, {512}, truth);
  double last = -1;
  for (double error : {0.0, 0x1p-20, 0x1p-19, 0x1p-18, 0x1p-17}) {  // published: 2e-5 at 1
    auto got = truth;
    got[100] += error;
    q.got = value(Dtype::f32, {512}, got);
    Judgement j = q.kbx();
    ASSERT_TRUE(j.error_share) << error;
    EXPECT_NEAR(*j.error_share, error / 2e-5, 1e-3);
    EXPECT_GT(*j.error_share, last);
    last = *j.error_share;
  }
  auto wrong = truth;
  wrong[100] += 0.1;
  q.got = value(Dtype::f32, {512}, wrong);
  EXPECT_FALSE(q.kbx().error_share);
  EXPECT_NEAR(q.kbx().metrics.max_allowed, 0.1 / 2e-5, 50);
}

// Softmax of [rows, columns] in float; `skip` leaves out the last columns.
std::vector<double> softmax(const std::vector<double>& x, int64_t columns, int64_t skip, bool single) {
  std::vector<double> out(x.size(), 0);
  for (size_t row = 0; row < x.size(); row += size_t(columns)) {
    double sum = 0;
    for (int64_t c = 0; c < columns - skip; c++) {
      double e = std::exp(x[row + size_t(c)]);
      sum = single ? double(float(sum + double(float(e)))) : sum + e;
    }
    for (int64_t c = 0; c < columns - skip; c++) out[row + size_t(c)] = std::exp(x[row + size_t(c)]) / sum;
  }
  return out;
}

TEST(Close, ASoftmaxThatDropsItsLastColumnFailsInEveryDtype) {
  for (Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::bf16}) {
    auto x = View(tensor(dtype, {7 * 1023}, normals(7 * 1023, 9))).all();
    Asked q;
    q.truth = value(Dtype::f64, {7, 1023}, softmax(x, 1023, 0, false));
    q.eager = value(dtype, {7, 1023}, softmax(x, 1023, 0, false));
    q.got = value(dtype, {7, 1023}, softmax(x, 1023, 0, true));
    EXPECT_EQ(q.kbx().verdict, Verdict::correct) << to_text(dtype);
    q.got = value(dtype, {7, 1023}, softmax(x, 1023, 1, true));
    Judgement j = q.kbx();
    EXPECT_EQ(j.verdict, Verdict::wrong_value) << to_text(dtype);
    EXPECT_GE(j.metrics.mismatches, 7) << to_text(dtype);  // float32 also sees the wrong sums
    q.got = value(dtype, {7, 1023}, std::vector<double>(7 * 1023, 0));
    EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value) << to_text(dtype);
  }
}

TEST(Close, PaperToleranceMissesASmallHalfOutputThatKbxSees) {
  Asked q;
  q.truth = value(Dtype::f64, {64}, std::vector<double>(64, 1e-3));
  q.eager = value(Dtype::f16, {64}, std::vector<double>(64, 1e-3));
  q.got = value(Dtype::f16, {64}, std::vector<double>(64, 0));
  EXPECT_EQ(q.paper().verdict, Verdict::correct);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, Float16KeptAsBfloat16FailsTwoRoundingsPass) {
  Asked q;
  std::vector<double> truth = normals(512, 24);
  q.truth = value(Dtype::f64, {512}, truth);
  q.eager = value(Dtype::f16, {512}, truth);
  q.got = value(Dtype::f16, {512}, mapped(truth, [](double x) { return x * (1 + 0x1p-11); }));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f16, {512}, View(tensor(Dtype::bf16, {512}, truth)).all());
  EXPECT_EQ(q.paper().verdict, Verdict::correct);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, AMeanThatHappensToBeSmallIsNotHeldToItsOwnSize) {
  Asked q;  // the mean of 4773 normals: serial float32 sums are off by 6e-8, the mean itself may be anything
  q.truth = value(Dtype::f64, {}, {1e-5});
  q.eager = value(Dtype::f32, {}, {1e-5});
  q.got = value(Dtype::f32, {}, {1e-5 + 6e-8});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  std::vector<double> means = mapped(normals(256, 4), [](double v) { return 1e-3 * v; });  // over a million terms each
  q.truth = value(Dtype::f64, {256}, means);
  q.eager = value(Dtype::f32, {256}, means);
  q.got = value(Dtype::f32, {256}, mapped(means, [](double v) { return v + 5e-8; }));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f32, {256}, mapped(means, [](double v) { return v + 1e-6; }));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, OneHugeOutputDoesNotExcuseItsNeighbours) {
  std::vector<double> x = normals(2048, 10);
  x[100] = 30;
  std::vector<double> truth = mapped(x, [](double v) { return std::exp(v); }), got = rounded_f32(truth);
  Asked q;
  q.truth = value(Dtype::f64, {2048}, truth);
  q.eager = value(Dtype::f32, {2048}, truth);
  q.got = value(Dtype::f32, {2048}, got);
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  got[500] *= 1 + 1e-3;  // a fast approximation would have this everywhere
  q.got = value(Dtype::f32, {2048}, got);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

// Variance of [rows, columns] with mean 100.
std::vector<double> variance(const std::vector<double>& x, int64_t columns, int how) {
  std::vector<double> out;
  for (size_t row = 0; row < x.size(); row += size_t(columns)) {
    float s = 0, ss = 0;
    double exact = 0, mean = 0;
    for (int64_t c = 0; c < columns; c++) {
      auto v = float(x[row + size_t(c)]);
      s += v, ss += v * v, mean += x[row + size_t(c)];
    }
    mean /= double(columns);
    auto mean32 = float(how == 2 ? s / float(columns) : mean);
    float two_pass = 0;
    for (int64_t c = 0; c < columns; c++) {
      exact += (x[row + size_t(c)] - mean) * (x[row + size_t(c)] - mean);
      float d = float(x[row + size_t(c)]) - mean32;
      two_pass += d * d;
    }
    if (how == 0) out.push_back(exact / double(columns));
    if (how == 1 || how == 2) out.push_back(double(two_pass / float(columns)));
    if (how == 3) out.push_back(double(ss / float(columns) - (s / float(columns)) * (s / float(columns))));
  }
  return out;
}

TEST(Close, SinglePassVarianceOfShiftedDataFailsTwoPassPasses) {
  auto x = rounded_f32(mapped(normals(64 * 512, 11), [](double v) { return v + 100; }));
  Asked q;
  q.truth = value(Dtype::f64, {64}, variance(x, 512, 0));
  q.eager = value(Dtype::f32, {64}, variance(x, 512, 1));
  q.got = value(Dtype::f32, {64}, variance(x, 512, 2));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f32, {64}, variance(x, 512, 3));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, AnElementThatMovedOnePlaceFails) {
  auto x = rounded_f32(normals(1000, 12));
  std::vector<double> shifted(x.begin() + 1, x.end());
  shifted.push_back(0);
  Asked q;
  q.truth = value(Dtype::f64, {1000}, x);
  q.eager = value(Dtype::f32, {1000}, x);
  q.got = value(Dtype::f32, {1000}, shifted);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, FlushedSubnormalsPassInFloat32) {
  Asked q;
  q.truth = value(Dtype::f64, {2}, {1e-40, -3e-39});
  q.eager = value(Dtype::f32, {2}, {1e-40, -3e-39});
  q.got = value(Dtype::f32, {2}, {0, 0});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Close, FormatOverflowOnTheWayMayShowOrNot) {
  Asked q;  // sqrt(exp(100)): eager's float32 exp overflows, the truth is 5.2e21
  q.truth = value(Dtype::f64, {2}, {std::exp(50.0), 1});
  q.eager = value(Dtype::f32, {2}, {kInf, 1});
  q.got = value(Dtype::f32, {2}, {kInf, 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f32, {2}, {std::exp(50.0), 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = value(Dtype::f32, {2}, {kNan, 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = value(Dtype::f32, {2}, {1e20, 1});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, AFlippedBranchOfEagerDoesNotWidenTheRest) {
  auto x = rounded_f32(normals(4000, 13));
  auto eager = x;
  eager[7] = 0;  // hardshrink at the threshold, say
  Asked q;
  q.truth = value(Dtype::f64, {4000}, x);
  q.eager = value(Dtype::f32, {4000}, eager);
  q.got = value(Dtype::f32, {4000}, eager);
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);  // the same flip is excused
  auto wrong = x;
  wrong[8] += 0.01;
  q.got = value(Dtype::f32, {4000}, wrong);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, ComplexUsesTheModulus) {
  Asked q;
  q.truth = Value::of_tensor(tensor_c128({2}, {{1, 1e-9}, {0, 2}}));
  q.eager = Value::of_tensor(tensor_c64({2}, {{1, 0}, {0, 2}}));
  q.got = Value::of_tensor(tensor_c64({2}, {{1, 1e-6}, {1e-6, 2}}));
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  EXPECT_EQ(q.paper().verdict, Verdict::wrong_value);  // published: complex is exact
  q.got = Value::of_tensor(tensor_c64({2}, {{1, 0}, {0, -2}}));
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
}

TEST(Close, ScalarsAndEmptyTensorsWork) {
  Asked q;
  q.got = q.eager = Value::of_float(2.5);
  q.truth = Value::of_float(2.5);
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.got = Value::of_float(2.6);
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.got = q.eager = value(Dtype::f32, {0}, {});
  q.truth = value(Dtype::f64, {0}, {});
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Close, AHelperOfAnotherShapeIsOurFaultNotTheCandidates) {
  Asked q;
  q.got = q.eager = value(Dtype::f32, {2}, {1, 2});
  q.truth = value(Dtype::f64, {2}, {1, 2});
  q.magnitude = value(Dtype::f64, {3}, {1, 2, 3});
  q.oracle().magnitude = true;
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
}

TEST(Close, ABoundThatIsNotFiniteIsOurFaultToo) {
  Asked q;
  q.got = q.eager = value(Dtype::f64, {3}, {1e200, 2e200, 3e200});
  q.truth = q.eager;
  q.magnitude = value(Dtype::f64, {3}, {1e200, kInf, 3e200});  // squares that overflowed, say
  q.oracle().magnitude = true;
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
  q.domain = value(Dtype::boolean, {3}, {1, 0, 1});  // nobody asks there
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
  q.domain.reset();
  q.got = q.eager = value(Dtype::f64, {3}, {1, kInf, kNan});
  q.truth = q.eager;
  q.magnitude = value(Dtype::f64, {3}, {1, kInf, kNan});  // as the result is
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

}  // namespace
}  // namespace kbx::judge
