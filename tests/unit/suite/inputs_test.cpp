// Inputs: what each distribution and layout promises.
#include "suite/inputs.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "suite/float_bits.h"
#include "suite/signature.h"

namespace kbx::suite {
namespace {

Task task_of(TensorSpec spec, const std::string& entry = "t(input)") {
  Task task;
  task.name = "t";
  task.entry = *parse_signature(entry);
  task.cases.emplace_back();
  task.cases[0].name = "c";
  ArgSpec& arg = task.cases[0].args["input"];
  arg.kind = ArgSpec::Kind::tensor;
  arg.tensor = std::move(spec);
  return task;
}
Tensor draw(const Task& task, Phase phase = Phase::standard, uint64_t seed = 1) {
  auto call = make_call(task, task.cases[0], phase, seed);
  EXPECT_TRUE(call) << call.error().message;
  return call ? call->args[0].tensor : Tensor{};
}
Tensor draw(TensorSpec spec) { return draw(task_of(std::move(spec))); }

// Elements in row-major order; complex: re, im, re, im...
std::vector<double> numbers(const Tensor& tensor) {
  Tensor dense = tensor.dense();
  Dtype part = part_of(dense.dtype);
  std::vector<double> out;
  for (size_t at = 0; at < dense.storage->size(); at += size_of(part)) out.push_back(load(part, dense.data() + at));
  return out;
}
std::vector<double> numbers(TensorSpec spec) { return numbers(draw(std::move(spec))); }
bool same(const Tensor& a, const Tensor& b) { return *a.dense().storage == *b.dense().storage; }

TEST(Inputs, DependOnSeedTaskCaseArgumentAndPhaseAlone) {
  Task task = task_of({.shape = {100}});
  task.outlier.prob = 0.5;
  Tensor base = draw(task);
  EXPECT_TRUE(same(base, draw(task)));
  EXPECT_FALSE(same(base, draw(task, Phase::standard, 2)));
  EXPECT_FALSE(same(base, draw(task, Phase::outlier)));
  Task other = task;
  other.name = "u";
  EXPECT_FALSE(same(base, draw(other)));
  other = task;
  other.cases[0].name = "d";
  EXPECT_FALSE(same(base, draw(other)));
  other = task_of({.shape = {100}}, "t(input, other)");
  other.cases[0].args["other"] = other.cases[0].args["input"];
  auto call = make_call(other, other.cases[0], Phase::standard, 1);
  ASSERT_TRUE(call);
  EXPECT_TRUE(same(base, call->args[0].tensor));
  EXPECT_FALSE(same(base, call->args[1].tensor));
}

TEST(Inputs, ALargeTensorStartsLikeASmallOne) {  // the large one is drawn by several threads
  for (const char* dist : {"normal", "uniform", "lognormal", "positive", "outliers", "edge"})
    for (Dtype dtype : {Dtype::f32, Dtype::f16, Dtype::f64, Dtype::c64}) {
      auto small = draw(TensorSpec{.shape = {5000}, .dtype = dtype, .dist = dist}).dense();
      auto large = draw(TensorSpec{.shape = {1000003}, .dtype = dtype, .dist = dist}).dense();
      EXPECT_TRUE(std::equal(small.storage->begin(), small.storage->end(), large.storage->begin()))
          << dist << to_text(dtype);
    }
}

TEST(Inputs, ContinuousDistributionsHaveTheirMoments) {
  constexpr double n = 1 << 18;
  auto check = [&](TensorSpec spec, double mean, double std) {
    spec.shape = {int64_t(n)};
    auto x = numbers(spec);
    double sum = std::accumulate(x.begin(), x.end(), 0.0) / n, square = 0;
    for (double v : x) square += (v - sum) * (v - sum);
    EXPECT_NEAR(sum, mean, 6 * std / std::sqrt(n)) << spec.dist;
    EXPECT_NEAR(std::sqrt(square / n), std, 0.02 * std) << spec.dist;
  };
  check({.dtype = Dtype::f32, .dist = "normal", .params = {{"mean", 3}, {"std", 0.5}}}, 3, 0.5);
  check({.dtype = Dtype::f64, .dist = "uniform", .params = {{"low", -1}, {"high", 3}}}, 1, 4 / std::sqrt(12));
  check({.dtype = Dtype::f32, .dist = "lognormal", .params = {{"std", 0.5}}}, std::exp(0.125),
        std::exp(0.125) * std::sqrt(std::exp(0.25) - 1));
  check({.dtype = Dtype::f32, .dist = "outliers", .params = {{"prob", 0.25}, {"scale", 4}}}, 0,
        std::sqrt(0.75 + 0.25 * 16));
  check({.dtype = Dtype::i32, .dist = "randint", .params = {{"low", -3}, {"high", 7}}}, 1.5, std::sqrt(99.0 / 12));
  check({.dtype = Dtype::boolean, .dist = "bernoulli", .params = {{"p", 0.2}}}, 0.2, 0.4);
  double ratio = std::log(40.0);
  check({.dtype = Dtype::f32, .dist = "positive"}, 3.9 / ratio,
        std::sqrt((16 - 0.01) / (2 * ratio) - std::pow(3.9 / ratio, 2)));
}

TEST(Inputs, ExactlyAShareIsChosen) {
  for (int64_t n : {0, 1, 2, 3, 9, 1000, 4097, 100000})
    for (double share : {0.0, 0.05, 0.5, 1.0})
      for (Dtype dtype : {Dtype::boolean, Dtype::i64, Dtype::f32}) {
        auto x = numbers(TensorSpec{.shape = {n}, .dtype = dtype, .dist = "chosen", .params = {{"share", share}}});
        EXPECT_EQ(std::count(x.begin(), x.end(), 1.0), std::ptrdiff_t(std::floor(share * double(n) + 0.5))) << n << " " << share;
        EXPECT_EQ(std::count(x.begin(), x.end(), 0.0), n - std::count(x.begin(), x.end(), 1.0));
      }
  auto x = numbers(TensorSpec{.shape = {100000}, .dtype = Dtype::boolean, .dist = "chosen"});
  for (int part = 0; part < 10; part++) EXPECT_NEAR(double(std::count(x.begin() + part * 10000, x.begin() + (part + 1) * 10000, 1.0)), 5000, 250);
  int changes = 0;
  for (size_t k = 1; k < x.size(); k++) changes += x[k] != x[k - 1];
  EXPECT_NEAR(changes, 50000, 800);
}

TEST(Inputs, BoundsHoldAfterRounding) {
  for (Dtype dtype : {Dtype::f16, Dtype::bf16, Dtype::f8e4m3, Dtype::f32, Dtype::f64}) {
    for (double v : numbers(TensorSpec{.shape = {20000}, .dtype = dtype, .dist = "uniform"}))
      ASSERT_TRUE(v >= 0 && v < 1) << to_text(dtype);
    for (double v : numbers(TensorSpec{.shape = {20000}, .dtype = dtype, .dist = "positive"}))
      ASSERT_TRUE(v > 0.09 && v < 4.01);
  }
  for (double v : numbers(TensorSpec{.shape = {10, 10, 10, 2}, .dist = "grid"})) ASSERT_LE(std::fabs(v), 1.1);
}

TEST(Inputs, DiscreteDistributions) {
  EXPECT_EQ(numbers(TensorSpec{.shape = {3}, .dtype = Dtype::bf16, .dist = "constant", .params = {{"value", 1.5}}}),
            (std::vector<double>{1.5, 1.5, 1.5}));
  EXPECT_EQ(numbers(TensorSpec{.shape = {5}, .dtype = Dtype::i64, .dist = "values", .values = {1, -2}}),
            (std::vector<double>{1, -2, 1, -2, 1}));
  EXPECT_EQ(numbers(TensorSpec{.shape = {5}, .dist = "linspace", .params = {{"low", -1}, {"high", 1}}}),
            (std::vector<double>{-1, -.5, 0, .5, 1}));
  auto labels = numbers(TensorSpec{.shape = {9999},
                                   .dtype = Dtype::i64,
                                   .dist = "class_index",
                                   .params = {{"classes", 5}, {"ignore", -100}, {"ignore_prob", 0.1}}});
  auto ignored = std::count(labels.begin(), labels.end(), -100);
  EXPECT_TRUE(ignored > 800 && ignored < 1200) << ignored;
  for (double v : labels) ASSERT_TRUE(v == -100 || (v >= 0 && v < 5));
  auto ties = numbers(TensorSpec{.shape = {999}, .dist = "ties"});
  std::sort(ties.begin(), ties.end());
  EXPECT_EQ(std::unique(ties.begin(), ties.end()) - ties.begin(), 4);
  auto edge = numbers(TensorSpec{.shape = {99}, .dtype = Dtype::f16, .dist = "edge"});
  EXPECT_TRUE(std::any_of(edge.begin(), edge.end(), [](double v) { return std::isnan(v); }));
  for (double wanted : {HUGE_VAL, -HUGE_VAL, 65504.0, 0x1p-24, 0x1p-14, 1.0})
    EXPECT_EQ(std::count(edge.begin(), edge.end(), wanted) > 0, true) << wanted;
}

TEST(Inputs, PoisonIsNanOrALargeOddNumber) {
  for (Dtype d :
       {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64, Dtype::f8e4m3, Dtype::f8e5m2, Dtype::c64, Dtype::c128})
    for (double v : numbers(TensorSpec{.shape = {3}, .dtype = d, .dist = "poison"}))
      EXPECT_TRUE(std::isnan(v)) << to_text(d);
  for (Dtype d : {Dtype::i8, Dtype::i16, Dtype::i32, Dtype::u8, Dtype::i64})
    for (double v : numbers(TensorSpec{.shape = {3}, .dtype = d, .dist = "poison"}))
      EXPECT_GT(v, greatest(d) / 4) << to_text(d);
}

TEST(Inputs, LinesHaveTheirProperty) {
  TensorSpec spec{.shape = {4, 50, 3}, .dtype = Dtype::f64, .dist = "probabilities", .params = {{"dim", 1}}};
  auto p = numbers(spec);
  spec.dist = "log_probabilities";
  auto log_p = numbers(spec);
  for (int a = 0; a < 4; a++)
    for (int c = 0; c < 3; c++) {
      double sum = 0, log_sum = 0;
      for (int b = 0; b < 50; b++) {
        double v = p[size_t(a * 150 + b * 3 + c)];
        EXPECT_GT(v, 0);
        sum += v, log_sum += std::exp(log_p[size_t(a * 150 + b * 3 + c)]);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      EXPECT_NEAR(log_sum, 1, 1e-12);
    }
  auto order = numbers(TensorSpec{.shape = {3, 40}, .dtype = Dtype::i64, .dist = "permutation"});
  for (int row = 0; row < 3; row++) {
    std::vector<double> line(order.begin() + row * 40, order.begin() + (row + 1) * 40);
    EXPECT_FALSE(std::is_sorted(line.begin(), line.end()));
    std::sort(line.begin(), line.end());
    for (int k = 0; k < 40; k++) EXPECT_EQ(line[size_t(k)], k);
  }
  auto sorted = numbers(TensorSpec{.shape = {2, 100}, .dtype = Dtype::f32, .dist = "sorted"});
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.begin() + 100) &&
              std::is_sorted(sorted.begin() + 100, sorted.end()));
}

TEST(Inputs, LayoutsShowTheSameElementsAndPoisonTheRest) {
  TensorSpec spec{.shape = {2, 4, 3, 5}, .dtype = Dtype::f32};
  Tensor dense = draw(spec);
  EXPECT_TRUE(dense.contiguous());
  for (auto [layout, stride] :
       std::vector<std::pair<const char*, std::vector<int64_t>>>{{"transposed(1,2)", {60, 5, 20, 1}},
                                                                 {"transposed(-1,0)", {1, 6, 2, 24}},
                                                                 {"strided(2)", {120, 30, 10, 2}},
                                                                 {"offset(3)", {60, 15, 5, 1}},
                                                                 {"channels_last", {60, 1, 20, 4}}}) {
    spec.layout = layout;
    Tensor t = draw(spec);
    EXPECT_EQ(t.stride, stride) << layout;
    EXPECT_FALSE(t.contiguous());
    EXPECT_TRUE(same(t, dense)) << layout;
    size_t poisoned = 0;
    for (size_t at = 0; at < t.storage->size(); at += 4) poisoned += std::isnan(load(Dtype::f32, t.data() + at));
    EXPECT_EQ(poisoned, t.storage->size() / 4 - 120) << layout;
  }
  spec.layout = "expanded(1)";
  Tensor t = draw(spec);
  EXPECT_EQ(t.stride, (std::vector<int64_t>{15, 0, 5, 1}));
  EXPECT_EQ(t.shape, spec.shape);
  auto x = numbers(t);
  for (size_t k = 0; k < 15; k++) EXPECT_EQ(x[k], x[15 + k]);
}

TEST(Inputs, EmptyAndScalarTensors) {
  EXPECT_EQ(numbers(TensorSpec{.shape = {}}).size(), 1u);
  for (const char* dist : {"normal", "sorted", "permutation", "probabilities", "edge"})
    for (std::vector<int64_t> shape : {std::vector<int64_t>{0}, {0, 3}, {3, 0}})
      EXPECT_EQ(draw(TensorSpec{.shape = shape, .dist = dist}).numel(), 0) << dist;
  EXPECT_EQ(draw(TensorSpec{.shape = {0, 3, 3}, .dist = "spd"}).numel(), 0);
  EXPECT_EQ(draw(TensorSpec{.shape = {0, 4}, .layout = "transposed(0,1)"}).numel(), 0);
}

TEST(Inputs, OutlierPhaseReplacesAndClamps) {
  Task task = task_of({.shape = {100000}});
  task.outlier.prob = 0.01;
  task.outlier.scale = 50;
  auto large = [](const std::vector<double>& x) {
    return std::count_if(x.begin(), x.end(), [](double v) { return std::fabs(v) > 10; });
  };
  EXPECT_EQ(large(numbers(draw(task))), 0);
  auto count = large(numbers(draw(task, Phase::outlier)));
  EXPECT_TRUE(count > 650 && count < 1050) << count;  // 1000 replaced, 84 % of them above 10
  task.outlier.clamp = {-2.0, 30.0};
  auto clamped = numbers(draw(task, Phase::outlier));
  EXPECT_EQ(*std::min_element(clamped.begin(), clamped.end()), -2);
  EXPECT_EQ(*std::max_element(clamped.begin(), clamped.end()), 30);
}

TEST(Inputs, OutlierTwinsExistWhereSomethingChanges) {
  Task task = task_of({.shape = {3}, .dist = "normal"});
  auto twin = [&] { return has_outlier_twin(task, task.cases[0]); };
  EXPECT_TRUE(twin());
  task.cases[0].args["input"].tensor.dist = "positive";
  EXPECT_FALSE(twin());
  task.outlier.clamp = {0.1, 9.0};
  EXPECT_TRUE(twin());
  task.cases[0].args["input"].tensor.dist = "probabilities";
  EXPECT_FALSE(twin());
  task.outlier.args = {"input"};
  EXPECT_TRUE(twin());
  task.cases[0].raises = "ValueError";
  EXPECT_FALSE(twin());
  task.cases[0].raises = "";
  task.cases[0].outlier = false;
  EXPECT_FALSE(twin());
  task.cases[0].outlier = true;
  task.outlier.enabled = false;
  EXPECT_FALSE(twin());
}

TEST(Inputs, CallFollowsTheSignature) {
  Task task = task_of({.shape = {2}, .requires_grad = true}, "t(input, dim, keep=False, *, out=None)");
  Case& c = task.cases[0];
  c.args["dim"].kind = ArgSpec::Kind::integer;
  c.args["dim"].integer = -1;
  c.args["out"].kind = ArgSpec::Kind::copy_of;
  c.args["out"].text = "input";
  auto call = make_call(task, c, Phase::standard, 1);
  ASSERT_TRUE(call) << call.error().message;
  ASSERT_EQ(call->args.size(), 2u);
  EXPECT_TRUE(call->args[0].requires_grad);
  EXPECT_EQ(call->args[1].integer, -1);
  ASSERT_EQ(call->kwargs.size(), 1u);  // keep is not named
  EXPECT_EQ(call->kwargs[0].first, "out");
  EXPECT_EQ(call->kwargs[0].second.tensor.storage, call->args[0].tensor.storage);
  auto outline = outline_call(task, c);
  ASSERT_TRUE(outline);
  EXPECT_EQ(outline->args[0].tensor.shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(outline->args[0].tensor.storage, nullptr);
  c.args.erase("dim");
  EXPECT_FALSE(make_call(task, c, Phase::standard, 1));
}

TEST(Inputs, VariadicValuesAreSpread) {
  Task task = task_of({.shape = {2}}, "t(input, flag=True, *size, g=None)");
  Case& c = task.cases[0];
  ArgSpec two;
  two.kind = ArgSpec::Kind::integer;
  two.integer = 2;
  c.args["size"].kind = ArgSpec::Kind::list;
  c.args["size"].items = {two, two};
  EXPECT_FALSE(make_call(task, c, Phase::standard, 1));  // flag must be given then
  c.args["flag"].kind = ArgSpec::Kind::boolean;
  auto call = make_call(task, c, Phase::standard, 1);
  ASSERT_TRUE(call) << call.error().message;
  EXPECT_EQ(call->args.size(), 4u);
}

}  // namespace
}  // namespace kbx::suite
