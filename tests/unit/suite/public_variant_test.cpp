// Public variants: other cases of the same task, over the whole suite and over ties made up here.
#include "suite/public_variant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "suite/case_fit.h"
#include "suite/inputs.h"
#include "suite/signature.h"
#include "suite/suite.h"

namespace kbx::suite {
namespace {

using Shape = std::vector<int64_t>;

ArgSpec tensor(Shape shape, std::string dist = "normal", Dtype dtype = Dtype::f32) {
  ArgSpec a;
  a.kind = ArgSpec::Kind::tensor;
  a.tensor.shape = std::move(shape);
  a.tensor.dist = std::move(dist);
  a.tensor.dtype = dtype;
  return a;
}
ArgSpec integer(int64_t value) {
  ArgSpec a;
  a.kind = ArgSpec::Kind::integer;
  a.integer = value;
  return a;
}

// f(a, b, n) with one case; the second, larger case leaves room to grow.
Task task_of(ArgSpec a, ArgSpec b, ArgSpec n = integer(1)) {
  Task task;
  task.name = "t";
  task.version = "v";
  task.entry = *parse_signature("f(a: Tensor, b: Tensor, n: int) -> Tensor");
  Case c, large;
  c.name = "mine";
  c.args = {{"a", a}, {"b", b}, {"n", n}};
  large.name = "large";
  for (auto [name, spec] : {std::pair{"a", &a}, {"b", &b}}) {
    ArgSpec grown = *spec;
    for (int64_t& d : grown.tensor.shape) d = 100000 + d;
    large.args[name] = grown;
  }
  large.args["n"] = integer(1);
  task.cases = {c};
  task.perf = {large};
  return task;
}
Shape shape(const Task& task, const char* name) { return task.cases.at(0).args.at(name).tensor.shape; }

TEST(PublicVariant, EqualSizesStayEqualAndOddOnesOdd) {
  Task v = public_variant(task_of(tensor({7, 1023}), tensor({1023, 64})));
  EXPECT_EQ(shape(v, "a")[1], shape(v, "b")[0]);
  EXPECT_NE(shape(v, "a")[1], 1023);
  EXPECT_EQ(shape(v, "a")[1] % 2, 1);
  EXPECT_NE(shape(v, "a")[0], 7);
  EXPECT_EQ(shape(v, "b")[1] % 8, 0);
  EXPECT_LT(shape(v, "b")[1], shape(v, "a")[1]);
}

TEST(PublicVariant, SmallSizesAndThoseOfIntegerArgumentsStay) {
  Task v = public_variant(task_of(tensor({2, 3, 40}), tensor({40, 17}), integer(17)));
  EXPECT_EQ(shape(v, "a")[0], 2);
  EXPECT_EQ(shape(v, "a")[1], 3);
  EXPECT_EQ(shape(v, "b")[1], 17);
  EXPECT_NE(shape(v, "a")[2], 40);
}

TEST(PublicVariant, MultiplesStayMultiplesOfAnIntegerArgument) {
  Task v = public_variant(task_of(tensor({10, 36}), tensor({36}), integer(6)));
  EXPECT_EQ(shape(v, "a")[1] % 36, 0) << "6 and 6 * 6 divided it";
}

TEST(PublicVariant, AFlattenedPictureKeepsItsSizes) {
  Task v = public_variant(task_of(tensor({9, 3, 5, 6}), tensor({90, 77})));
  EXPECT_EQ(shape(v, "a"), (Shape{shape(v, "a")[0], 3, 5, 6}));
  EXPECT_EQ(shape(v, "b")[0], 90);
  EXPECT_NE(shape(v, "b")[1], 77);
}

TEST(PublicVariant, PackedWeightsKeepTheirRatio) {
  Task v = public_variant(task_of(tensor({13, 64}), tensor({50, 32})));
  EXPECT_EQ(shape(v, "a")[1], 64);
  EXPECT_EQ(shape(v, "b")[1], 32);
}

TEST(PublicVariant, WhatIsAddedToAConvolutionKeepsItsSizes) {
  Task task = task_of(tensor({2, 3, 19, 21}), tensor({5, 3, 3, 3}));
  task.entry = *parse_signature("f(a: Tensor, b: Tensor, n: int, other: Tensor) -> Tensor");
  for (auto* list : {&task.cases, &task.perf}) (*list)[0].args["other"] = tensor({2, 5, 17, 19});
  EXPECT_EQ(shape(public_variant(task), "other"), (Shape{2, 5, 17, 19}));
  EXPECT_EQ(shape(public_variant(task), "a"), (Shape{2, 3, 19, 21}));
}

TEST(PublicVariant, TensorsLaidOneBehindTheOtherKeepTheirSum) {
  Task task = task_of(tensor({}), tensor({41, 17}));
  ArgSpec list;
  list.kind = ArgSpec::Kind::list;
  list.items = {tensor({20, 17}), tensor({21, 17})};
  task.cases[0].args["a"] = list;
  Task v = public_variant(task);
  const auto& items = v.cases[0].args.at("a").items;
  EXPECT_EQ(items[0].tensor.shape[0] + items[1].tensor.shape[0], shape(v, "b")[0]);
}

TEST(PublicVariant, LiteralFloatsAreScaledAndLiteralIntegersKeptWhenCasesAreFew) {
  ArgSpec values = tensor({9}, "values"), pivots = tensor({9}, "values", Dtype::i64);
  values.tensor.values = {1, -2, NAN, INFINITY, 0};
  pivots.tensor.values = {3, 1, 2};
  PublicCounts counts;
  Task v = public_variant(task_of(values, pivots), &counts);
  const auto& got = v.cases[0].args.at("a").tensor.values;
  EXPECT_EQ(got[0], 0.75);
  EXPECT_EQ(got[1], -1.5);
  EXPECT_TRUE(std::isnan(got[2]) && std::isinf(got[3]));
  EXPECT_EQ(v.cases[0].args.at("b").tensor.values, pivots.tensor.values);
  EXPECT_EQ(counts.left_out, 0);
}

TEST(PublicVariant, ACaseThatRaisesKeepsItsSizes) {
  Task task = task_of(tensor({7, 9}), tensor({11}));
  task.cases[0].raises = "RuntimeError";
  EXPECT_EQ(shape(public_variant(task), "a"), (Shape{7, 9}));
}

void each(const ArgSpec& arg, const std::function<void(const TensorSpec&)>& visit) {
  if (arg.kind == ArgSpec::Kind::tensor) visit(arg.tensor);
  for (const ArgSpec& item : arg.items) each(item, visit);
}
std::vector<Shape> shapes(const Case& c) {
  std::vector<Shape> out;
  for (const auto& [name, arg] : c.args) each(arg, [&](const TensorSpec& t) { out.push_back(t.shape); });
  return out;
}

TEST(PublicVariant, EveryTaskOfTheSuiteHasOneThatPlans) {
  auto suite = load_suite(std::string(KBX_SOURCE_DIR) + "/suite");
  ASSERT_TRUE(suite) << suite.error().text();
  PublicCounts all;
  int tasks_reshaped = 0;
  for (const Task& task : suite->tasks) {
    PublicCounts counts;
    Task v = public_variant(task, &counts);
    std::set<std::string> names;
    for (const auto* list : {&task.cases, &task.perf})
      for (const Case& c : *list) names.insert(c.name);
    EXPECT_GE(v.cases.size(), 6u) << task.name;
    EXPECT_EQ(v.perf.size(), task.perf.size());
    EXPECT_NE(v.version, task.version);
    EXPECT_EQ(v.name, task.name);
    for (const auto* list : {&v.cases, &v.perf})
      for (const Case& c : *list) {
        EXPECT_FALSE(names.contains(c.name)) << task.name << " " << c.name;
        EXPECT_TRUE(case_misfits(v.entry, c).empty());
        auto call = outline_call(v, c);
        EXPECT_TRUE(call) << task.name << " " << c.name << ": " << (call ? "" : call.error().text());
      }
    all.reshaped += counts.reshaped, all.redrawn += counts.redrawn, all.left_out += counts.left_out;
    tasks_reshaped += counts.reshaped > 0;
    EXPECT_EQ(public_variant(task).version, v.version);
    EXPECT_EQ(shapes(public_variant(task).cases.back()), shapes(v.cases.back())) << "deterministic";
    EXPECT_EQ(shapes(redrawn_variant(task).perf.back()), shapes(task.perf.back()));
  }
  EXPECT_GE(all.reshaped, (all.reshaped + all.redrawn) / 2) << "most cases have other sizes";
  EXPECT_GE(tasks_reshaped, int(suite->tasks.size()) * 9 / 10);
  RecordProperty("reshaped", all.reshaped);
  RecordProperty("redrawn", all.redrawn);
  RecordProperty("left_out", all.left_out);
}

TEST(PublicVariant, InputsAreOtherBytesAndTheSeedIsAnother) {
  auto task = load_task(std::string(KBX_SOURCE_DIR) + "/suite/math/softmax");
  ASSERT_TRUE(task);
  Task v = redrawn_variant(*task);
  auto a = make_call(*task, task->cases[0], Phase::standard, 1), b = make_call(v, v.cases[0], Phase::standard, 1);
  ASSERT_TRUE(a && b);
  const Tensor &x = a->args[0].tensor, &y = b->args[0].tensor;
  EXPECT_EQ(x.shape, y.shape);
  EXPECT_NE(*x.storage, *y.storage);
  EXPECT_NE(public_seed(1), public_seed(2));
  EXPECT_NE(public_seed(1), 1u);
}

}  // namespace
}  // namespace kbx::suite
