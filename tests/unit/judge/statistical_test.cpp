// Oracle statistical: honest generators raise no false alarm over many runs, broken ones are told.
#include <gtest/gtest.h>

#include "judge/chance.h"
#include "judge/view.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

constexpr int kRuns = 300;  // honest runs each; at 1e-9 a check, one alarm would be a bug

TEST(Chance, CountsByHand) {
  EXPECT_TRUE(plausible_count(0, 0, 0.5));
  EXPECT_TRUE(plausible_count(30, 30, 0.5));   // 2^-30 is 9.3e-10, twice that is 1.9e-9
  EXPECT_FALSE(plausible_count(31, 31, 0.5));  // 2 * 2^-31 < 1e-9
  EXPECT_TRUE(plausible_count(500, 1000, 0.5));
  EXPECT_FALSE(plausible_count(650, 1000, 0.5));
  EXPECT_FALSE(plausible_count(1, 1000, 0));
  EXPECT_FALSE(plausible_count(999, 1000, 1));
  EXPECT_TRUE(plausible_count(1000, 1000, 1));
}

TEST(Chance, BoundsAgreeWithTheirFormulas) {
  double log = std::log(2e9);
  EXPECT_NEAR(cdf_bound(10000), std::sqrt(log / 20000), 1e-15);
  double t = sum_bound(100, 1);
  EXPECT_NEAR(2 * std::exp(-t * t / (2 * (100 + t / 3))), 1e-9, 1e-13);
  EXPECT_NEAR(product_bound(50, 3), std::sqrt(100 * log) + 3 * log, 1e-12);
  EXPECT_EQ(bernoulli_proxy(0.5), 0.25);
  EXPECT_NEAR(bernoulli_proxy(0.01), 0.98 / (2 * std::log(99.0)), 1e-15);
  EXPECT_EQ(bernoulli_proxy(0.99), bernoulli_proxy(0.01));
  EXPECT_EQ(bernoulli_proxy(1), 0);
  EXPECT_EQ(test_distances(4, 2), (std::vector<int64_t>{1, 2}));
  EXPECT_TRUE(test_distances(1, 1).empty());
  EXPECT_EQ(test_distances(70503, 213).back(), 65536);  // what begins again behind 65536 numbers
  EXPECT_EQ(test_distances(65536, 256).back(), 32768);
}

Asked dropout(size_t n, double p, uint32_t seed) {
  Asked q;
  Oracle& o = q.oracle();
  o.kind = OracleKind::statistical;
  o.form = "dropout";
  o.p = "p";
  o.active = "training";
  auto x = rounded_f32(normals(n, 1000 + seed));
  q.parameter("input", value(Dtype::f32, {int64_t(n / 64), 64}, x));
  q.parameter("p", Value::of_float(p));
  q.parameter("training", Value::of_bool(true), "True");
  auto drop = [&](uint32_t s) {
    auto u = uniforms(n, s);
    std::vector<double> y(n);
    for (size_t k = 0; k < n; k++) y[k] = u[k] < p ? 0 : double(float(x[k] / (1 - p)));
    return value(Dtype::f32, {int64_t(n / 64), 64}, y);
  };
  q.got = drop(2000 + seed);
  q.got_again = drop(4000 + seed);
  q.eager = drop(6000 + seed);
  q.survivors = value(Dtype::f64, {int64_t(n / 64), 64}, mapped(x, [p](double v) { return v / (1 - p); }));
  return q;
}
void set_got(Asked& q, std::vector<double> v) { q.got = value(Dtype::f32, q.eager.tensor.shape, v); }
std::vector<double> got_of(const Asked& q) { return View(q.got.tensor).all(); }
std::vector<double> survivors_of(const Asked& q) { return View(q.survivors->tensor).all(); }

TEST(Dropout, HonestMasksNeverAlarm) {
  for (int run = 0; run < kRuns; run++) {
    double p = run % 3 == 0 ? 0.1 : run % 3 == 1 ? 0.5 : 0.9;
    Judgement j = dropout(run % 2 ? 4096 : 640, p, uint32_t(run)).kbx();
    ASSERT_EQ(j.verdict, Verdict::correct) << run << " " << j.explanation;
  }
}

std::string metric_of(const Asked& q) {
  Judgement j = q.kbx();
  return j.verdict == Verdict::wrong_value ? j.metric : std::string(to_text(j.verdict));
}

TEST(Dropout, BrokenMasksAreTold) {
  Asked q = dropout(8192, 0.5, 1);
  auto s = survivors_of(q), honest = got_of(q);
  set_got(q, s);
  EXPECT_EQ(metric_of(q), "kept_fraction");  // nothing dropped
  set_got(q, std::vector<double>(s.size(), 0));
  EXPECT_EQ(metric_of(q), "kept_fraction");
  set_got(q, mapped(honest, [](double v) { return v * 0.5; }));
  EXPECT_EQ(metric_of(q), "abs");  // not scaled
  auto leaky = honest;
  leaky[5] = leaky[5] == 0 ? 1e-3 : leaky[5] + 0.1;
  set_got(q, leaky);
  EXPECT_EQ(metric_of(q), "abs");
  auto nan = honest;
  nan[9] = kNan;
  set_got(q, nan);
  EXPECT_EQ(metric_of(q), "nan");
  auto wrong_p = s;
  auto u = uniforms(s.size(), 77);
  for (size_t k = 0; k < s.size(); k++) wrong_p[k] = u[k] < 0.4 ? 0 : s[k];
  set_got(q, wrong_p);
  EXPECT_EQ(metric_of(q), "kept_fraction");
}

TEST(Dropout, RepeatingMasksAreTold) {
  for (size_t period : {2u, 64u, 1024u, 4096u}) {
    Asked q = dropout(8192, 0.5, 2);
    auto s = survivors_of(q);
    auto u = uniforms(s.size(), 78);
    for (size_t k = 0; k < s.size(); k++)
      if (u[k % period] < 0.5) s[k] = 0;
    if (period == 2) continue;  // decided by the kept fraction, if at all
    set_got(q, s);
    EXPECT_EQ(metric_of(q), "mask_correlation") << period;
  }
  Asked rows = dropout(8192, 0.5, 3);
  auto s = survivors_of(rows);
  auto u = uniforms(128, 79);
  for (size_t k = 0; k < s.size(); k++)
    if (u[k / 64] < 0.5) s[k] = 0;
  set_got(rows, s);
  Judgement j = rows.kbx();
  EXPECT_EQ(j.verdict, Verdict::wrong_value);  // whole rows dropped
}

TEST(Dropout, TheSecondCallMustDrawAnewUnlessAGeneratorFixesIt) {
  Asked q = dropout(4096, 0.5, 4);
  q.got_again = q.got;
  EXPECT_EQ(metric_of(q), "two_calls");
  Value generator;
  generator.kind = ValueKind::generator;
  q.parameter("generator", generator);
  EXPECT_EQ(metric_of(q), "correct");
}

TEST(Dropout, InactiveAndTrivialProbabilitiesAreExact) {
  for (double p : {0.0, 1.0, 0.3}) {
    Asked q = dropout(640, 0.5, 5);
    q.args.args[1] = Value::of_float(p);
    if (p == 0.3) q.args.args[2] = Value::of_bool(false);
    auto x = View(q.args.args[0].tensor).all();
    if (p == 1) x.assign(x.size(), 0);
    q.eager = value(Dtype::f32, {10, 64}, x);
    q.truth = value(Dtype::f64, {10, 64}, x);
    EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value) << p;
    q.got = q.eager;
    EXPECT_EQ(q.kbx().verdict, Verdict::correct) << p;
  }
}

TEST(Dropout, ElementsWithoutSurvivorTellNothing) {
  Asked q = dropout(8192, 0.5, 6);  // hardshrink before: two thirds of the survivors are zero
  auto s = survivors_of(q), g = got_of(q);
  for (size_t k = 0; k < s.size(); k++)
    if (std::abs(s[k]) < 2) s[k] = g[k] = 0;
  q.survivors = value(Dtype::f64, q.eager.tensor.shape, s);
  q.eager = value(Dtype::f32, q.eager.tensor.shape, g);
  q.got_again.reset();
  set_got(q, g);
  EXPECT_EQ(metric_of(q), "correct");
}

// dropout(x) - 3 of the same draws.
Asked shifted(size_t n, double p, uint32_t seed) {
  Asked q = dropout(n, p, seed);
  auto less = [](double v) { return double(float(v - 3)); };
  auto shape = q.eager.tensor.shape;
  for (Value* v : {&q.got, &q.eager, &*q.got_again}) *v = value(Dtype::f32, shape, mapped(View(v->tensor).all(), less));
  q.survivors = value(Dtype::f64, shape, mapped(survivors_of(q), [](double v) { return v - 3; }));
  q.dropped = value(Dtype::f64, shape, std::vector<double>(n, -3));
  return q;
}

TEST(Dropout, WhatFollowsTheDropoutIsToldByTheReference) {
  for (int run = 0; run < kRuns; run++) {
    Judgement j = shifted(run % 2 ? 4096 : 640, run % 3 == 0 ? 0.1 : 0.5, uint32_t(run)).kbx();
    ASSERT_EQ(j.verdict, Verdict::correct) << run << " " << j.explanation;
  }
  Asked q = shifted(8192, 0.5, 1);
  auto honest = got_of(q), s = survivors_of(q);
  set_got(q, s);
  EXPECT_EQ(metric_of(q), "kept_fraction");
  set_got(q, std::vector<double>(s.size(), -3));
  EXPECT_EQ(metric_of(q), "kept_fraction");
  set_got(q, mapped(honest, [](double v) { return v == -3 ? 0 : v; }));  // the subtraction was dropped, too
  EXPECT_EQ(metric_of(q), "abs");
  set_got(q, mapped(honest, [](double v) { return (v + 3) / 2 - 3; }));  // not scaled
  EXPECT_EQ(metric_of(q), "abs");
  auto repeating = s;
  auto u = uniforms(1024, 80);
  for (size_t k = 0; k < s.size(); k++)
    if (u[k % 1024] < 0.5) repeating[k] = -3;
  set_got(q, repeating);
  EXPECT_EQ(metric_of(q), "mask_correlation");
  set_got(q, honest);
  q.got_again = q.got;
  EXPECT_EQ(metric_of(q), "two_calls");
  q.dropped = value(Dtype::f64, {1}, {-3});
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
}

TEST(Dropout, ElementsThatLookAlikeEitherWayTellNothing) {
  // dropout(x) + 10^6: half an ulp is 0.03, so small survivors are as good as dropped.
  size_t n = 8192;
  Asked q = dropout(n, 0.5, 8);
  auto more = [](double v) { return double(float(v + 1e6)); };
  auto shape = q.eager.tensor.shape;
  for (Value* v : {&q.got, &q.eager, &*q.got_again}) *v = value(Dtype::f32, shape, mapped(View(v->tensor).all(), more));
  q.survivors = value(Dtype::f64, shape, mapped(survivors_of(q), [](double v) { return v + 1e6; }));
  q.dropped = value(Dtype::f64, shape, std::vector<double>(n, 1e6));
  EXPECT_EQ(metric_of(q), "correct");
  set_got(q, std::vector<double>(n, 1e6));
  EXPECT_EQ(metric_of(q), "correct");  // 10 is within the published tolerance of 10^6
}

TEST(Dropout, MissingEvidenceIsNotJudged) {
  Asked q = dropout(640, 0.5, 7);
  q.survivors.reset();
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
}

Asked uniform(Dtype dtype, const std::vector<double>& x) {
  Asked q;
  q.oracle().kind = OracleKind::statistical;
  q.oracle().form = "uniform";
  q.got = q.eager = value(dtype, {int64_t(x.size() / 4), 4}, x);
  return q;
}
// What a generator that floors to the format's grid gives.
std::vector<double> gridded(size_t n, uint32_t seed, double grid) {
  return mapped(uniforms(n, seed), [grid](double u) { return std::floor(u / grid) * grid; });
}

TEST(Uniform, HonestGeneratorsNeverAlarm) {
  for (int run = 0; run < kRuns; run++) {
    auto seed = uint32_t(run);
    for (auto [dtype, grid] :
         {std::pair{Dtype::f32, 0x1p-24}, {Dtype::f32, 0x1p-23}, {Dtype::f16, 0x1p-11}, {Dtype::bf16, 0x1p-8}}) {
      Asked q = uniform(dtype, gridded(run % 2 ? 4096 : 40, seed, grid));
      q.got_again = value(dtype, q.got.tensor.shape, gridded(run % 2 ? 4096 : 40, seed + 5000, grid));
      Judgement j = q.kbx();
      ASSERT_EQ(j.verdict, Verdict::correct) << run << " " << j.explanation;
    }
  }
}

TEST(Uniform, BrokenGeneratorsAreTold) {
  size_t n = 1 << 16;
  auto u = gridded(n, 50, 0x1p-24);
  auto metric = [](const std::vector<double>& x) { return metric_of(uniform(Dtype::f32, x)); };
  EXPECT_EQ(metric(u), "correct");
  auto again = gridded(70504, 51, 0x1p-24);
  std::copy(again.begin(), again.begin() + (70504 - 65536), again.begin() + 65536);
  EXPECT_EQ(metric(again), "correlation");  // begins again behind 65536 numbers
  EXPECT_EQ(metric(mapped(u, [](double v) { return v * 2 - 0.5; })), "range");
  EXPECT_EQ(metric(mapped(u, [](double v) { return v > 0.5 ? 1.0 : v; })), "range");
  auto nan = u;
  nan[3] = kNan;
  EXPECT_EQ(metric(nan), "nan");
  EXPECT_EQ(metric(std::vector<double>(n, 0.5)), "ks");
  EXPECT_EQ(metric(mapped(u, [](double v) { return v * v; })), "ks");
  EXPECT_EQ(metric(mapped(u, [](double v) { return v * 0.97; })), "ks");
  EXPECT_EQ(metric(mapped(u, [](double v) { return std::floor(v * 256) / 256; })), "bits");
  auto repeat = u;
  for (size_t k = 0; k < n; k++) repeat[k] = u[k % 16384];
  EXPECT_EQ(metric(repeat), "correlation");
  auto smooth = u;
  for (size_t k = 1; k < n; k += 2) smooth[k] = u[k - 1];
  EXPECT_EQ(metric(smooth), "correlation");
  std::vector<double> ramp(n);
  for (size_t k = 0; k < n; k++) ramp[k] = double(k) / double(n);
  EXPECT_EQ(metric(ramp), "correlation");
}

TEST(Uniform, ASecondCallThatRepeatsIsTold) {
  Asked q = uniform(Dtype::f32, gridded(1024, 51, 0x1p-24));
  q.got_again = q.got;
  EXPECT_EQ(metric_of(q), "two_calls");
  Asked empty = uniform(Dtype::f32, {});
  EXPECT_EQ(metric_of(empty), "correct");
}

Asked binomial(size_t n, uint32_t seed) {
  Asked q;
  q.oracle().kind = OracleKind::statistical;
  q.oracle().form = "binomial";
  q.oracle().p = "prob";
  q.oracle().roles["count"] = "count";
  std::vector<double> trials(n), k(n), again(n);
  auto u = uniforms(n * 20, seed + 70000), v = uniforms(n * 20, seed + 90000);
  for (size_t i = 0; i < n; i++) {
    trials[i] = double(i % 11);
    for (size_t t = 0; t < i % 11; t++) k[i] += u[i * 20 + t] < 0.3, again[i] += v[i * 20 + t] < 0.3;
  }
  q.parameter("count", value(Dtype::f32, {int64_t(n)}, trials));
  q.parameter("prob", Value::of_float(0.3));
  q.got = q.eager = value(Dtype::f32, {int64_t(n)}, k);
  q.got_again = value(Dtype::f32, {int64_t(n)}, again);
  return q;
}

TEST(Binomial, HonestDrawsNeverAlarm) {
  for (int run = 0; run < kRuns; run++) {
    Judgement j = binomial(run % 2 ? 2000 : 30, uint32_t(run)).kbx();
    ASSERT_EQ(j.verdict, Verdict::correct) << run << " " << j.explanation;
  }
}

TEST(Binomial, BrokenDrawsAreTold) {
  Asked q = binomial(2000, 1);
  auto k = View(q.got.tensor).all();
  auto with = [&](const std::vector<double>& v) {
    Asked other = q;
    other.got = value(Dtype::f32, {2000}, v);
    return metric_of(other);
  };
  EXPECT_EQ(with(mapped(k, [](double x) { return x + 0.5; })), "support");
  EXPECT_EQ(with(mapped(k, [](double x) { return x + 11; })), "support");
  auto nan = k;
  nan[0] = kNan;
  EXPECT_EQ(with(nan), "support");
  std::vector<double> half(2000), mean(2000);
  auto u = uniforms(2000 * 20, 123);
  for (size_t i = 0; i < 2000; i++) {
    for (size_t t = 0; t < i % 11; t++) half[i] += u[i * 20 + t] < 0.5;
    mean[i] = std::nearbyint(0.3 * double(i % 11));
  }
  EXPECT_EQ(with(half), "mean");
  EXPECT_EQ(with(mean), "variance");
  q.got_again = q.got;
  EXPECT_EQ(metric_of(q), "two_calls");
}

TEST(Binomial, RepeatingStreamsAreTold) {
  for (size_t period : {1u, 32u, 512u, 1024u, 2048u, 4000u}) {
    Asked q = binomial(8000, 3);
    std::vector<double> k(8000);
    auto u = uniforms(period * 20, 124);
    for (size_t i = 0; i < 8000; i++)
      for (size_t t = 0; t < i % 11; t++) k[i] += u[i % period * 20 + t] < 0.3;
    q.got = value(Dtype::f32, {8000}, k);
    if (period < 512) {
      EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);  // so few draws that their moments are off, too
      continue;
    }
    EXPECT_EQ(metric_of(q), "correlation") << period;  // 4000: half of the elements
  }
}

TEST(Binomial, TheProbabilityMayBroadcastAndComeFromTheReference) {
  // Rows of probabilities 0.2 and 0.8 over ten trials: one column of two numbers.
  std::vector<double> k(2000);
  auto u = uniforms(20000, 125);
  for (size_t i = 0; i < 2000; i++)
    for (size_t t = 0; t < 10; t++) k[i] += u[i * 10 + t] < (i < 1000 ? 0.2 : 0.8);
  Asked q = binomial(2000, 4);
  q.got_again.reset();
  q.args.args[0] = Value::of_int(10);
  q.got = q.eager = value(Dtype::f32, {2, 1000}, k);
  EXPECT_EQ(metric_of(q), "mean");  // prob is 0.3 for all
  q.args.args[1] = value(Dtype::f32, {2, 1}, {0.2, 0.8});
  EXPECT_EQ(metric_of(q), "correct");
  q.args.args[1] = Value::of_float(0.3);
  q.probability = value(Dtype::f64, {2, 1}, {0.2, 0.8});
  EXPECT_EQ(metric_of(q), "correct");
  q.probability = value(Dtype::f64, {2, 1}, {0.8, 0.2});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  q.probability = value(Dtype::f64, {2}, {0.2, 0.8});  // belongs to a last dim of two
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
}

TEST(Binomial, CertainAndImpossibleAreExact) {
  Asked q = binomial(100, 2);
  q.args.args[1] = Value::of_float(0);
  EXPECT_EQ(metric_of(q), "support");
  q.got = value(Dtype::f32, {100}, std::vector<double>(100, 0));
  q.got_again.reset();
  EXPECT_EQ(metric_of(q), "correct");
}

TEST(Statistical, ACaseMayBringItsOwnOracle) {
  Asked q = uniform(Dtype::f32, {0.5, 0.25, 0.125, 0.75});
  q.truth = value(Dtype::f64, {1, 4}, {0.5, 0.25, 0.125, 0.7});
  EXPECT_EQ(metric_of(q), "correct");
  q.of_case.emplace();  // close
  EXPECT_EQ(q.kbx().kind, OracleKind::close);
  q.truth = value(Dtype::f64, {1, 4}, {0.5, 0.25, 0.125, 7});
  q.eager = value(Dtype::f32, {1, 4}, {0.5, 0.25, 0.125, 7});
  EXPECT_EQ(q.kbx().verdict, Verdict::wrong_value);
  EXPECT_EQ(judge_result(q.evidence()).at(0).kbx.kind, OracleKind::close);
}

TEST(Statistical, AnUnknownFormIsNotJudged) {
  Asked q = uniform(Dtype::f32, {0.5, 0.25, 0.125, 0.75});
  q.oracle().form = "poisson";
  EXPECT_EQ(q.kbx().verdict, Verdict::not_judged);
}

}  // namespace
}  // namespace kbx::judge
