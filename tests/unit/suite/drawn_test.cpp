// Tensors as descriptions: their order and paths, whole parameters, and keys that nothing else shares.
#include "suite/drawn.h"

#include <gmock/gmock.h>

#include <set>

#include "suite/dists.h"
#include "suite/signature.h"

namespace kbx::suite {
namespace {

using ::testing::ElementsAre;

ArgSpec tensor(std::vector<int64_t> shape, std::string dist = "normal") {
  ArgSpec arg;
  arg.kind = ArgSpec::Kind::tensor;
  arg.tensor.shape = std::move(shape);
  arg.tensor.dist = std::move(dist);
  return arg;
}

ArgSpec list(std::vector<ArgSpec> items) {
  ArgSpec arg;
  arg.kind = ArgSpec::Kind::list;
  arg.items = std::move(items);
  return arg;
}

std::vector<std::string> paths(const std::string& entry, std::map<std::string, ArgSpec> args) {
  Task task;
  task.entry = *parse_signature(entry);
  Case which;
  which.args = std::move(args);
  std::vector<std::string> out;
  for (const Drawn& d : drawn_tensors(task, which)) out.push_back(d.path);
  return out;
}

TEST(DrawnTensors, StandInTheOrderOfTheCallPositionsFirst) {
  EXPECT_THAT(paths("t(input, weight=None, *, mask)", {{"mask", tensor({2})}, {"input", tensor({2})}, {"weight", tensor({2})}}), ElementsAre("input", "weight", "mask"));
  EXPECT_THAT(paths("t(a, *rest, b)", {{"b", tensor({2})}, {"a", tensor({2})}, {"rest", list({tensor({2}), tensor({3})})}}), ElementsAre("a", "rest[0]", "rest[1]", "b"));
}

TEST(DrawnTensors, TheOnlyValueOfAVariadicParameterHasItsNameAsInACall) {
  EXPECT_THAT(paths("t(*rest)", {{"rest", list({tensor({2})})}}), ElementsAre("rest"));
}

TEST(DrawnTensors, OfAListHaveItsPlaces) {
  EXPECT_THAT(paths("t(params, lr)", {{"params", list({tensor({2}), list({tensor({3})}), tensor({4})})}, {"lr", ArgSpec()}}), ElementsAre("params[0]", "params[1][0]", "params[2]"));
}

TEST(DrawnTensors, WhatACaseDoesNotNameAndWhatIsNoTensorIsLeftOut) {
  ArgSpec copy;
  copy.kind = ArgSpec::Kind::copy_of;
  EXPECT_THAT(paths("t(a, b, c)", {{"a", tensor({2})}, {"c", copy}}), ElementsAre("a"));
}

TEST(DrawJson, HoldsEveryParameterDefaultsToo) {
  TensorSpec spec;
  spec.shape = {3, 5};
  spec.dtype = Dtype::bf16;
  spec.params = {{"std", 4}};
  Json draw = draw_json(spec);
  EXPECT_EQ(draw["dist"], "normal");
  EXPECT_EQ(draw["params"]["std"], 4.0);
  EXPECT_EQ(draw["params"]["mean"], param(TensorSpec(), "mean"));
  EXPECT_EQ(draw["dtype"], "bf16");
  EXPECT_EQ(draw["count"], 15);
  EXPECT_EQ(draw["shape"], Json({3, 5}));
  spec.shape = {};
  EXPECT_EQ(draw_json(spec)["count"], 1);
  spec.shape = {4, 0};
  EXPECT_EQ(draw_json(spec)["count"], 0);
}

TEST(DrawJson, KeepsTheValuesOfAList) {
  TensorSpec spec;
  spec.shape = {4};
  spec.dist = "values";
  spec.values = {1, 2.5, -3};
  EXPECT_EQ(draw_json(spec)["values"], Json({1.0, 2.5, -3.0}));
}

TEST(DrawJson, NoTwoTensorsCasesTasksSeedsOrSetsShareAKey) {
  std::set<std::string> seen;
  auto key = [&](const char* task_name, const char* case_name, const char* path, uint64_t seed, int set) {
    Task task;
    task.name = task_name;
    Case which;
    which.name = case_name;
    Drawn drawn;
    drawn.path = path;
    drawn.spec.shape = {2};
    Json draw = draw_json(drawn, task, which, seed, set);
    EXPECT_EQ(draw["count"], 2);
    return draw["key"].dump() + draw["salt"].dump();
  };
  std::string first = key("gelu", "large", "input", 1, 0);
  EXPECT_EQ(first, key("gelu", "large", "input", 1, 0));
  seen = {first, key("relu", "large", "input", 1, 0), key("gelu", "small", "input", 1, 0), key("gelu", "large", "other", 1, 0), key("gelu", "large", "input", 2, 0),
          key("gelu", "large", "input", 1, 1), key("gelul", "arge", "input", 1, 0), key("gelu", "largei", "nput", 1, 0)};
  EXPECT_EQ(seen.size(), 8u);
}

}  // namespace
}  // namespace kbx::suite
