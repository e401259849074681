// The one pass: metrics against values computed by hand, the NaN and Inf rule, independence of chunks.
#include "judge/compare.h"

#include <gtest/gtest.h>

#include "judge/noise.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

Metrics exact_metrics(const Tensor& got, const Tensor& want) {
  return compare({View(got), View(want), {}, nullptr, nullptr});
}

TEST(Compare, MetricsOfASmallPairByHand) {
  Metrics m = exact_metrics(tensor(Dtype::f32, {5}, {1, 2, 3, -4, 0}), tensor(Dtype::f64, {5}, {1, 2.5, 2, -4, 0}));
  EXPECT_EQ(m.count, 5);
  EXPECT_EQ(m.mismatches, 2);
  EXPECT_EQ(m.first_mismatch, 1);
  EXPECT_EQ(m.max_abs, 1);
  EXPECT_EQ(m.max_rel, 0.5);
  EXPECT_EQ(m.max_ulp, 0x1p22);  // 1 in ulps of 2: 2^-22
  EXPECT_DOUBLE_EQ(m.l1_rel, 1.5 / 9.5);
  EXPECT_DOUBLE_EQ(m.rmse, std::sqrt(1.25 / 5));
  EXPECT_DOUBLE_EQ(m.rel_rmse, std::sqrt(1.25 / 27.25));
  EXPECT_DOUBLE_EQ(m.cosine, (1 + 5 + 6 + 16) / std::sqrt(30 * 27.25));
}

TEST(Compare, EmptyTensorsAreRight) {
  Metrics m = exact_metrics(tensor(Dtype::f32, {0, 3}, {}), tensor(Dtype::f64, {0, 3}, {}));
  EXPECT_EQ(m.count, 0);
  EXPECT_EQ(m.mismatches, 0);
  EXPECT_EQ(m.cosine, 1);
  EXPECT_EQ(m.rmse, 0);
}

TEST(Compare, AllZeroWantHasNoSentinels) {
  Metrics m = exact_metrics(tensor(Dtype::f32, {2}, {0, 3}), tensor(Dtype::f32, {2}, {0, 0}));
  EXPECT_EQ(m.max_rel, 0);
  EXPECT_EQ(m.cosine, 0);
  EXPECT_EQ(m.l1_rel, 3);
  EXPECT_DOUBLE_EQ(m.rel_rmse, std::sqrt(4.5));
}

TEST(Compare, NanIsRightOnlyWhereNanIsWanted) {
  Metrics m = exact_metrics(tensor(Dtype::f32, {4}, {kNan, kNan, 1, 2}), tensor(Dtype::f64, {4}, {kNan, 5, kNan, 2}));
  EXPECT_EQ(m.nan_got, 2);
  EXPECT_EQ(m.nan_want, 2);
  EXPECT_EQ(m.nan_position_mismatches, 2);
  EXPECT_EQ(m.mismatches, 2);
  EXPECT_EQ(m.first_mismatch, 1);
  EXPECT_EQ(m.max_abs, 0);  // only the finite pair counts
}

TEST(Compare, NanNeverPassesHoweverWideTheTolerance) {
  Tolerance wide;
  wide.atol = 1e300;
  Metrics m = compare(
      {View(tensor(Dtype::f16, {2}, {kNan, 1})), View(tensor(Dtype::f64, {2}, {0, 0})), wide, nullptr, nullptr});
  EXPECT_EQ(m.mismatches, 1);
}

TEST(Compare, InfMustMatchInSignAndPlace) {
  Metrics m =
      exact_metrics(tensor(Dtype::f32, {4}, {kInf, -kInf, kInf, 1}), tensor(Dtype::f64, {4}, {kInf, kInf, 1, kInf}));
  EXPECT_EQ(m.mismatches, 3);
  EXPECT_EQ(m.inf_position_mismatches, 3);
  EXPECT_EQ(m.inf_got, 3);
  EXPECT_EQ(m.inf_want, 3);
}

TEST(Compare, InfIsRightWhereTheFormatCannotHoldTheTruth) {
  Metrics m = exact_metrics(tensor(Dtype::f16, {3}, {kInf, -kInf, kInf}), tensor(Dtype::f64, {3}, {70000, -1e9, -1e9}));
  EXPECT_EQ(m.mismatches, 1);
  EXPECT_EQ(m.first_mismatch, 2);
}

TEST(Compare, InfIsRightWhereEagerOverflowsToo) {
  View got(tensor(Dtype::f32, {2}, {kInf, kInf})), want(tensor(Dtype::f64, {2}, {5e21, 7})),
      eager(tensor(Dtype::f32, {2}, {kInf, 7}));
  Metrics m = compare({got, want, {}, &eager, nullptr});
  EXPECT_EQ(m.mismatches, 1);
  EXPECT_EQ(m.first_mismatch, 1);
}

TEST(Compare, EagerNanExcusesNobody) {
  View got(tensor(Dtype::f32, {1}, {kNan})), want(tensor(Dtype::f64, {1}, {1})), eager(tensor(Dtype::f32, {1}, {kNan}));
  EXPECT_EQ(compare({got, want, {}, &eager, nullptr}).mismatches, 1);
}

TEST(Compare, DomainHidesElements) {
  View got(tensor(Dtype::f32, {4}, {1, 9, kNan, 4})), want(tensor(Dtype::f64, {4}, {1, 2, 3, 4}));
  View domain(tensor(Dtype::boolean, {4}, {1, 0, 0, 1}));
  Metrics m = compare({got, want, {}, nullptr, &domain});
  EXPECT_EQ(m.count, 2);
  EXPECT_EQ(m.mismatches, 0);
  EXPECT_EQ(m.nan_got, 0);
  EXPECT_EQ(m.rmse, 0);
}

TEST(Compare, ComplexErrorsAreModuli) {
  View got(tensor_c64({2}, {{3, 4}, {1, 1}})), want(tensor_c128({2}, {{0, 0}, {1, 1}}));
  Metrics m = compare({got, want, {}, nullptr, nullptr});
  EXPECT_EQ(m.max_abs, 5);
  EXPECT_EQ(m.mismatches, 1);
  EXPECT_DOUBLE_EQ(m.rmse, std::sqrt(12.5));
}

TEST(Compare, ComplexNanInOnePartIsNan) {
  View got(tensor_c64({3}, {{kNan, 1}, {1, kNan}, {kInf, 0}})), want(tensor_c128({3}, {{0, kNan}, {1, 1}, {kInf, 0}}));
  Metrics m = compare({got, want, {}, nullptr, nullptr});
  EXPECT_EQ(m.mismatches, 1);
  EXPECT_EQ(m.first_mismatch, 1);
  EXPECT_EQ(m.nan_position_mismatches, 1);
}

TEST(Compare, IntegersAndBoolsAreNumbers) {
  EXPECT_EQ(
      exact_metrics(tensor(Dtype::i8, {3}, {-128, 0, 127}), tensor(Dtype::i64, {3}, {-128, 0, 126})).first_mismatch, 2);
  EXPECT_EQ(exact_metrics(tensor(Dtype::boolean, {2}, {1, 0}), tensor(Dtype::boolean, {2}, {1, 1})).mismatches, 1);
  EXPECT_EQ(exact_metrics(tensor(Dtype::i32, {1}, {5}), tensor(Dtype::i32, {1}, {7})).max_ulp, 0);
}

// 300001 elements: five chunks, the last one short and no multiple of four.
TEST(Compare, ManyChunksAgreeWithAPlainLoop) {
  size_t n = 300001;
  auto want = normals(n, 1), got = want;
  for (size_t k = 0; k < n; k += 7) got[k] += 1e-3;
  got[123456] = 50;
  got[n - 1] += 2;
  Tensor g = tensor(Dtype::f64, {int64_t(n)}, got), w = tensor(Dtype::f64, {int64_t(n)}, want);
  Tolerance t;
  t.atol = 1e-2;
  Metrics m = compare({View(g), View(w), t, nullptr, nullptr});
  double square = 0, l1 = 0, sum = 0;
  for (size_t k = 0; k < n; k++)
    square += (got[k] - want[k]) * (got[k] - want[k]), l1 += std::abs(got[k] - want[k]), sum += std::abs(want[k]);
  EXPECT_EQ(m.count, int64_t(n));
  EXPECT_EQ(m.mismatches, 2);
  EXPECT_EQ(m.first_mismatch, 123456);
  EXPECT_EQ(m.worst, 123456);
  EXPECT_NEAR(m.rmse, std::sqrt(square / double(n)), 1e-12);
  EXPECT_NEAR(m.l1_rel, l1 / sum, 1e-12);
}

TEST(Compare, RepeatsBitForBit) {
  auto a = tensor(Dtype::f32, {1 << 18}, normals(1 << 18, 2)), b = tensor(Dtype::f32, {1 << 18}, normals(1 << 18, 3));
  Metrics first = exact_metrics(a, b), second = exact_metrics(a, b);
  EXPECT_EQ(first.rmse, second.rmse);
  EXPECT_EQ(first.cosine, second.cosine);
}

TEST(Compare, MaskMarksWhatIsCounted) {
  View got(tensor(Dtype::f32, {3}, {1, 2, kNan})), want(tensor(Dtype::f64, {3}, {1, 3, 1}));
  EXPECT_EQ(mismatch_mask({got, want, {}, nullptr, nullptr}), (std::vector<uint8_t>{0, 1, 1}));
}

TEST(Ulp, SpacingOfTheFormats) {
  EXPECT_EQ(ulp_of(1, format_of(Dtype::f32)), 0x1p-23);
  EXPECT_EQ(ulp_of(1.999, format_of(Dtype::f16)), 0x1p-10);
  EXPECT_EQ(ulp_of(2, format_of(Dtype::f16)), 0x1p-9);
  EXPECT_EQ(ulp_of(0, format_of(Dtype::f16)), 0x1p-24);
  EXPECT_EQ(ulp_of(1, format_of(Dtype::bf16)), 0x1p-7);
  EXPECT_EQ(ulp_of(100, format_of(Dtype::i32)), 0);
}

TEST(Tolerance, IsTheLargestOfItsParts) {
  Tolerance t;
  t.atol = 1e-5;
  t.rtol = 1e-5;
  EXPECT_DOUBLE_EQ(t.at({3, 0, 0}), 4e-5);
  t.noise = 1e-3;
  t.scale = 2;
  t.noise_cap = 1;
  EXPECT_DOUBLE_EQ(t.at({1, 0, 0}), 2e-3);
  EXPECT_DOUBLE_EQ(t.at({10, 0, 0}), 1e-2);
  t.noise_cap = 5e-3;
  EXPECT_DOUBLE_EQ(t.at({10, 0, 0}), 5e-3);
  t.noise_factor = 4;
  EXPECT_DOUBLE_EQ(t.at({1, 0, 0.5}), 2);
  t.ulps = 1.5;
  t.format = format_of(Dtype::bf16);
  EXPECT_DOUBLE_EQ(t.at({1024, 0, 0}), 12);
  EXPECT_EQ(t.reason_at({1024, 0, 0}), "1.5 ulp");
  EXPECT_EQ(t.reason_at({1, 0, 0.5}), "4 x noise floor");
}

TEST(Tolerance, BlocksFollowTheRuleOfSingleElements) {
  size_t n = 128;
  auto want = normals(n, 41), mag = normals(n, 42);
  want[3] = kInf, want[4] = kNan, want[5] = 0, want[6] = 1e-310, want[7] = 1e20, mag[9] = kInf, mag[10] = 1e4;
  auto eager = mapped(want, [](double x) { return x * (1 + 1e-6) + 1e-7; });
  eager[20] = kNan, eager[21] += 3;
  View w(tensor(Dtype::f64, {128}, want)), e(tensor(Dtype::f64, {128}, eager)), m(tensor(Dtype::f64, {128}, mag));
  Tolerance t{.atol = 1e-5, .rtol = 1e-5, .noise = 1e-3, .scale = 0.5, .noise_cap = 2e-3, .noise_factor = 4};
  t.eager = &e, t.ulps = 1.5, t.format = format_of(Dtype::bf16), t.magnitude = &m, t.magnitude_factor = 0.01;
  t.flush = 0x1p-126;
  std::vector<double> out(n);
  t.fill(0, int64_t(n), want.data(), out.data());
  View got(tensor(Dtype::f64, {128}, want));
  Pair pair{got, w, t, nullptr, nullptr};
  for (size_t k = 0; k < n; k++) EXPECT_EQ(out[k], t.at(tolerance_element(pair, int64_t(k)))) << k;
}

TEST(Noise, OneHugeElementDoesNotSetTheScale) {
  auto truth = normals(4096, 5);
  truth[17] = 1e13;
  Noise n =
      measure_noise(View(tensor(Dtype::f32, {4096}, truth)), nullptr, View(tensor(Dtype::f64, {4096}, truth)), nullptr);
  EXPECT_NEAR(n.scale, 1, 0.1);
  EXPECT_LT(n.floor, 2e-7);
}

TEST(Noise, ZerosDoNotCountForTheScale) {
  std::vector<double> sparse(1000, 0);
  for (size_t k = 0; k < 1000; k += 10) sparse[k] = 3;
  EXPECT_NEAR(robust_scale(View(tensor(Dtype::f64, {1000}, sparse)), nullptr), 3 / 0.6745, 1e-12);
  EXPECT_EQ(robust_scale(View(tensor(Dtype::f64, {3}, {0, 0, 0})), nullptr), 0);
}

TEST(Noise, AFewElementsThatTookAnotherBranchAreSetAside) {
  auto truth = normals(10000, 6), eager = rounded_f32(truth);
  for (size_t k = 0; k < 5; k++) eager[k * 1000] += 0.5;
  Noise n = measure_noise(View(tensor(Dtype::f32, {10000}, eager)), nullptr, View(tensor(Dtype::f64, {10000}, truth)),
                          nullptr);
  EXPECT_LT(n.floor, 2e-7);
}

TEST(Noise, AnUnstableReferenceIsCapped) {
  auto truth = normals(100, 7);
  Noise n = measure_noise(View(tensor(Dtype::f32, {100}, mapped(truth, [](double x) { return -x; }))), nullptr,
                          View(tensor(Dtype::f64, {100}, truth)), nullptr);
  EXPECT_EQ(n.floor, kLargestFloor);
}

}  // namespace
}  // namespace kbx::judge
