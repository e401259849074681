// Layouts and special numbers that no case has.
#include "eval/untried_inputs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace kbx::eval {
namespace {

// A float32 matrix over the numbers 0, 1, 2, ... in memory, or over one number.
Value matrix(std::vector<int64_t> shape, std::vector<int64_t> stride, size_t memory, bool constant = false) {
  Bytes bytes(4 * memory);
  for (size_t k = 0; k < memory; k++) {
    float v = constant ? 1.0f : float(k);
    std::memcpy(bytes.data() + 4 * k, &v, 4);
  }
  Tensor t;
  t.shape = std::move(shape);
  t.stride = std::move(stride);
  t.storage = std::make_shared<const Bytes>(std::move(bytes));
  return Value::of_tensor(std::move(t));
}

struct Asked {
  Task task;
  TaskTruth truth;

  Asked() {
    task.contract = {"NaN and infinities do not occur."};
    task.cases.resize(1);
  }
  std::vector<std::string> with(Value input, bool written = false) {
    CaseTruth c;
    c.which = &task.cases[0];
    c.phase = "standard";
    c.names = {"input"};
    c.call.args = {std::move(input)};
    if (written) c.roots["input"] = {};
    truth.cases = {std::move(c)};
    return untried_inputs(task, truth);
  }
};

const std::string kLast = "input never has a stride along its last dimension", kOrder = "input never has its dimensions in another order";

TEST(UntriedInputs, ContiguousArgumentsAreNamed) {
  EXPECT_EQ(Asked().with(matrix({3, 4}, {}, 12)), (std::vector<std::string>{kLast, kOrder}));
  EXPECT_EQ(Asked().with(matrix({4}, {}, 4)), std::vector<std::string>{kLast});
  EXPECT_EQ(Asked().with(matrix({1, 4}, {}, 4)), std::vector<std::string>{kLast});
  EXPECT_TRUE(Asked().with(matrix({1}, {}, 1)).empty());
  EXPECT_TRUE(Asked().with(matrix({}, {}, 1)).empty());
}

TEST(UntriedInputs, EachLayoutShowsItsOwn) {
  EXPECT_TRUE(Asked().with(matrix({3, 4}, {1, 3}, 12)).empty());
  EXPECT_EQ(Asked().with(matrix({3, 4}, {8, 2}, 24)), std::vector<std::string>{kOrder});
  EXPECT_EQ(Asked().with(matrix({3, 4}, {5, 1}, 15)), std::vector<std::string>{kLast});
  EXPECT_TRUE(Asked().with(matrix({4}, {2}, 8)).empty());
  EXPECT_TRUE(Asked().with(matrix({4}, {0}, 1)).empty());
}

TEST(UntriedInputs, ALayoutThatNoReadCanTellCountsOnlyWhereTheCallWrites) {
  EXPECT_EQ(Asked().with(matrix({3, 4}, {1, 3}, 12, true)), (std::vector<std::string>{kLast, kOrder}));
  EXPECT_TRUE(Asked().with(matrix({3, 4}, {1, 3}, 12, true), true).empty());
}

TEST(UntriedInputs, SymmetricMatricesHaveNoOrder) {
  EXPECT_EQ(Asked().with(matrix({2, 2}, {}, 4, true)), std::vector<std::string>{kLast});
}

Value empty_of(Dtype dtype) { return Value::of_tensor(make_tensor(dtype, {0}, {})); }

CaseTruth returns(const Task& task, Dtype dtype, bool into_out) {
  CaseTruth c;
  c.which = &task.cases[0];
  c.phase = "standard";
  c.roots["result"].eager = empty_of(dtype);
  if (into_out) c.roots["out"].eager = empty_of(dtype), c.aliases = {"result aliases out"};
  return c;
}

TEST(UntriedInputs, ResultsAreWrittenIntoAnArgumentInEveryPrecision) {
  Asked q;
  q.truth.cases = {returns(q.task, Dtype::f16, false), returns(q.task, Dtype::f64, false), returns(q.task, Dtype::f32, true)};
  EXPECT_EQ(untried_inputs(q.task, q.truth), (std::vector<std::string>{"no result of half precision is written into out", "no float64 result is written into out"}));
  q.truth.cases.push_back(returns(q.task, Dtype::bf16, true));
  EXPECT_EQ(untried_inputs(q.task, q.truth), std::vector<std::string>{"no float64 result is written into out"});
  q.truth.cases.push_back(returns(q.task, Dtype::f64, true));
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
  q.truth.cases = {returns(q.task, Dtype::f16, false), returns(q.task, Dtype::f64, false)};
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());  // nothing is ever written into an argument
}

TEST(UntriedInputs, ParametersAreGivenTogether) {
  Asked q;
  q.task.entry.parameters = {{"input", "", {}}, {"dim", "", "0"}, {"keepdim", "", "False"}, {"idle", "", "True"}, {"never", "", "None"}};
  q.task.contract.push_back("idle: has no effect");
  q.task.cases.resize(3);
  q.task.cases[0].args = {{"input", {}}, {"dim", {}}, {"idle", {}}};
  q.task.cases[1].args = {{"input", {}}, {"keepdim", {}}};
  q.task.cases[2].args = {{"dim", {}}, {"keepdim", {}}};
  q.task.cases[2].raises = "ValueError";
  EXPECT_EQ(untried_inputs(q.task, q.truth), std::vector<std::string>{"dim and keepdim are never given together"});
  q.task.contract.push_back("dim and keepdim do not occur together.");
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
  q.task.contract.pop_back();
  q.task.cases[2].raises.clear();
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
}

TEST(UntriedInputs, NaNAndInfinitiesMustBePassedOrExcused) {
  Asked q;
  q.task.contract.clear();
  ArgSpec a;
  a.kind = ArgSpec::Kind::tensor;
  a.tensor.dist = "values";
  a.tensor.values = {1, std::nan("")};
  q.task.cases[0].args["input"] = a;
  EXPECT_EQ(untried_inputs(q.task, q.truth), std::vector<std::string>{"no case passes an infinity"});
  q.task.contract = {"Infinities do not occur."};
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
  q.task.cases[0].args["input"].tensor.values = {1, INFINITY};
  EXPECT_EQ(untried_inputs(q.task, q.truth), std::vector<std::string>{"no case passes NaN"});
  q.task.cases[0].args["input"].tensor.dist = "edge";
  q.task.contract.clear();
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
  q.task.cases[0].args["input"].tensor.dtype = Dtype::i64;
  q.task.cases[0].args["input"].tensor.dist = "randint";
  EXPECT_TRUE(untried_inputs(q.task, q.truth).empty());
}

}  // namespace
}  // namespace kbx::eval
