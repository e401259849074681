// Oracle quantized: int8 passes on both sides of the window, everything that skips or overdoes quantization fails.
#include <gtest/gtest.h>

#include "judge/view.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

constexpr size_t kRows = 64, kInner = 256, kColumns = 64;

// Symmetric per-row rounding to `levels` steps on each side (127 = int8); 0 = none.
std::vector<double> quantize(std::vector<double> m, size_t columns, double levels) {
  if (levels == 0) return m;
  for (size_t row = 0; row < m.size(); row += columns) {
    double top = 0;
    for (size_t c = 0; c < columns; c++) top = std::max(top, std::abs(m[row + c]));
    for (size_t c = 0; c < columns; c++) m[row + c] = std::nearbyint(m[row + c] * levels / top) * top / levels;
  }
  return m;
}

// a [rows, inner] times b^T, b [columns, inner].
std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (size_t i = 0; i < kRows; i++)
    for (size_t j = 0; j < kColumns; j++) {
      double s = 0;
      for (size_t k = 0; k < kInner; k++) s += a[i * kInner + k] * b[j * kInner + k];
      out.push_back(s);
    }
  return out;
}

struct W8a8 {
  std::vector<double> a = rounded_f32(normals(kRows * kInner, 31)), b = rounded_f32(normals(kColumns * kInner, 32));
  std::vector<double> with(double levels) const {
    return multiply(quantize(a, kInner, levels), quantize(b, kInner, levels));
  }

  Asked asked(const std::vector<double>& got) const {
    Asked q;
    Oracle& o = q.oracle();
    o.kind = OracleKind::quantized;
    o.cosine_min = 0.999;
    o.l1_max = 0.03;
    o.rmse_max = 0.018;
    o.rel_rms_min = 0.004;
    o.paper_cosine = 0.95;
    o.paper_l1 = 0.05;
    o.paper_rmse = 0.1;
    q.got = value(Dtype::f32, {int64_t(kRows), int64_t(kColumns)}, got);
    q.eager = value(Dtype::f32, {int64_t(kRows), int64_t(kColumns)}, with(0));
    q.truth = value(Dtype::f64, {int64_t(kRows), int64_t(kColumns)}, with(0));
    q.scheme = value(Dtype::f64, {int64_t(kRows), int64_t(kColumns)}, with(127));
    return q;
  }
};

TEST(Quantized, TheSchemePassesAndThePublishedAbsoluteBoundRefusesIt) {
  W8a8 w;
  Asked q = w.asked(w.with(127));
  Judgement kbx = q.kbx();
  EXPECT_EQ(kbx.verdict, Verdict::correct) << kbx.explanation;
  EXPECT_GT(kbx.metrics.rel_rmse, 0.006);
  EXPECT_LT(kbx.metrics.rel_rmse, 0.0143);
  EXPECT_EQ(q.paper().verdict, Verdict::wrong_value);  // rmse 0.15 absolute at sigma 16
  EXPECT_EQ(q.paper().metric, "rmse");
}

TEST(Quantized, TheFloatResultBreaksTheContractAndThePublishedBoundsTakeIt) {
  W8a8 w;
  Asked q = w.asked(w.with(0));
  Judgement j = q.kbx();
  EXPECT_EQ(j.verdict, Verdict::contract_violation);
  EXPECT_EQ(j.metric, "rel_rmse");
  EXPECT_EQ(q.paper().verdict, Verdict::correct);
}

TEST(Quantized, HalfPrecisionInsteadOfInt8BreaksTheContract) {
  W8a8 w;
  auto half = [](std::vector<double> v) { return View(tensor(Dtype::bf16, {int64_t(v.size())}, v)).all(); };
  Asked q = w.asked(multiply(half(w.a), half(w.b)));
  EXPECT_EQ(q.kbx().verdict, Verdict::contract_violation);
  q.oracle().rel_rms_min = 0;  // the distance to the scheme alone
  EXPECT_EQ(q.kbx().verdict, Verdict::contract_violation);
  EXPECT_EQ(q.kbx().metric, "scheme_distance");
}

TEST(Quantized, CoarserRoundingAndNoiseAreWrongOrAgainstTheContract) {
  W8a8 w;
  EXPECT_EQ(w.asked(w.with(31)).kbx().verdict, Verdict::wrong_value);  // int6
  EXPECT_EQ(w.asked(w.with(63)).kbx().verdict, Verdict::wrong_value);  // int7
  Asked wide = w.asked(w.with(63));
  wide.oracle().rmse_max = 0.05;
  EXPECT_EQ(wide.kbx().verdict, Verdict::contract_violation);  // fits a wider window, but is not the scheme
  auto noisy = w.with(0);
  auto noise = normals(noisy.size(), 33);
  for (size_t k = 0; k < noisy.size(); k++) noisy[k] += 16 * 0.01 * noise[k];  // noise of the right size, but no scheme
  EXPECT_EQ(w.asked(noisy).kbx().verdict, Verdict::contract_violation);
}

TEST(Quantized, RoundingOfTheOutputFormatIsNoViolation) {
  W8a8 w;
  Asked q = w.asked(w.with(127));
  q.got = value(Dtype::f16, {int64_t(kRows), int64_t(kColumns)}, w.with(127));
  q.eager = value(Dtype::f16, {int64_t(kRows), int64_t(kColumns)}, w.with(0));
  q.oracle().spec_rms_max = 5e-4;
  EXPECT_EQ(q.kbx().verdict, Verdict::correct);
}

TEST(Quantized, OnTheGridThereIsNoContractToSee) {
  W8a8 w;
  for (auto* m : {&w.a, &w.b})
    for (size_t k = 0; k < m->size(); k++) (*m)[k] = k % kInner == 0 ? 127 : std::nearbyint((*m)[k] * 30);
  EXPECT_EQ(w.asked(w.with(0)).kbx().verdict, Verdict::correct);
  auto wrong = w.with(0);
  for (double& x : wrong) x *= 1.05;
  EXPECT_EQ(w.asked(wrong).kbx().verdict, Verdict::wrong_value);
}

TEST(Quantized, NanIsAWrongValue) {
  W8a8 w;
  auto got = w.with(127);
  got[3] = kNan;
  Judgement j = w.asked(got).kbx();
  EXPECT_EQ(j.verdict, Verdict::wrong_value);
  EXPECT_EQ(j.metric, "nan");
}

TEST(Quantized, SaysHowMuchOfTheWindowWasTaken) {
  W8a8 w;
  std::vector<double> scheme = w.with(127), exact = w.with(0), farther;
  for (size_t k = 0; k < scheme.size(); k++) farther.push_back(exact[k] + 1.2 * (scheme[k] - exact[k]));
  Judgement near = w.asked(scheme).kbx(), far = w.asked(farther).kbx(), zeros = w.asked(std::vector<double>(kRows * kColumns, 0)).kbx();
  ASSERT_TRUE(near.error_share && far.error_share);
  EXPECT_GT(*near.error_share, 0.1);
  EXPECT_GT(*far.error_share, 1.15 * *near.error_share);
  EXPECT_LE(*far.error_share, 1);
  EXPECT_FALSE(zeros.error_share);
}

TEST(Quantized, ZerosAreWrong) {
  W8a8 w;
  EXPECT_EQ(w.asked(std::vector<double>(kRows * kColumns, 0)).kbx().verdict, Verdict::wrong_value);
}

}  // namespace
}  // namespace kbx::judge
