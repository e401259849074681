// The arithmetic of [cost].
#include "suite/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/signature.h"

namespace kbx::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor shaped(Dtype dtype, std::vector<int64_t> shape) { return {.dtype = dtype, .shape = std::move(shape)}; }

// f(x: f16[2, 3, 5], y: f32[4], tensors: [f32[2], f32[3]], n=7, flag=True, bias=None, dims=(0, 2))
std::string run(std::string_view text) {
  auto s = *parse_signature("f(x, y, tensors, n=7, flag=True, bias=None, dims=(0, 2), mode='sum')");
  Value list;
  list.kind = ValueKind::list;
  list.items = {Value::of_tensor(shaped(Dtype::f32, {2})), Value::of_tensor(shaped(Dtype::f32, {3}))};
  Call call;
  call.args = {Value::of_tensor(shaped(Dtype::f16, {2, 3, 5})), Value::of_tensor(shaped(Dtype::f32, {4})), list};
  auto value = evaluate(text, s, call);
  if (!value) return value.error().message;
  return std::to_string(*value).substr(0, std::to_string(*value).find_last_not_of('0') + 2);
}
void expect(std::string_view text, double value) {
  std::string got = run(text);
  char* end = nullptr;
  EXPECT_DOUBLE_EQ(std::strtod(got.c_str(), &end), value) << text << " -> " << got;
}

TEST(Expression, HasPythonsPrecedences) {
  expect("1 + 2 * 3", 7);
  expect("(1 + 2) * 3", 9);
  expect("-2 ** 2", -4);
  expect("2 ** 3 ** 2", 512);
  expect("2 ** -1", 0.5);
  expect("7 // 2 + 7 % 4 - -7 // 2", 3 + 3 + 4);
  expect("-7 % 4", 1);
  expect("10 - 3 - 2", 5);
  expect("1 if 2 < 1 else 3 if 0 else 4", 4);
  expect("not 0 and 1 or 5", 1);
  expect("1 + 2 <= 3", 1);
}

TEST(Expression, KnowsItsFunctions) {
  expect("min(3, 1, 2) + max(3, 1, 2)", 4);
  expect("ceil(2.1) + floor(2.9) + sqrt(16) + log2(8) + abs(-1)", 3 + 2 + 4 + 3 + 1);
  expect("1e3 + .5", 1000.5);
}

TEST(Expression, AsksTensorsAndLists) {
  expect("numel(x)", 30);
  expect("itemsize(x)", 2);
  expect("nbytes(x) + nbytes(y)", 76);
  expect("dim(x, 0) + dim(x, -1) + size(x, 1)", 10);
  expect("ndim(x) + x.ndim + x.itemsize + x.shape[1] + x.shape[-1]", 3 + 3 + 2 + 3 + 5);
  expect("len(tensors) + numel(tensors) + nbytes(tensors)", 2 + 5 + 20);
  expect("numel(tensors[1])", 3);
  expect("numel(bias) + nbytes(bias) + dim(bias, 0)", 0);
  expect("size(x, dims)", 10);
  expect("size(x, bias)", 30);
  expect("n * flag", 7);
  expect("1 if bias is None else 2", 1);
  expect("1 if x is not None else 2", 1);
  expect("dims[1]", 2);
}

TEST(Expression, ErrorsNameTheColumn) {
  for (auto [text, what] : {std::pair{"1 +", "column 4: an operand is missing"},
                            {"(1", "')' is missing"},
                            {"1 2", "column 3: unexpected"},
                            {"foo(1)", "no function 'foo'"},
                            {"dim(x)", "dim() takes 2 arguments, not 1"},
                            {"1x", "not a number"},
                            {"z + 1", "column 1: 'z' is no argument"},
                            {"mode + 1", "a number is needed, this is str"},
                            {"x + 1", "a number is needed, this is f16"},
                            {"dim(x, 3)", "no index 3"},
                            {"numel(n)", "a tensor is needed"},
                            {"1 / 0", "division by zero"},
                            {"x.data", "no attribute 'data'"},
                            {"1 if 2", "'else' is missing"},
                            {"n[0]", "only a list can be indexed"},
                            {"10 ** 400", "not finite"},
                            {"", "an operand is missing"},
                            {"x is n", "with None only"},
                            {"drop(x, 3)", "no such dim"},
                            {"drop(x, 0.5)", "no such dim"},
                            {"numel(broadcast(x, y))", "do not broadcast"},
                            {"windows(9, 3, 0, 0, 1)", "division by zero"},
                            {"at(dims, 2)", "no index 2"},
                            {"mode == 'sum", "a ' is missing"}})
    EXPECT_THAT(run(text), HasSubstr(what)) << text;
}

TEST(Expression, KnowsTheShapesOfResults) {
  expect("numel(drop(x, 1)) + numel(drop(x, dims)) + numel(drop(x, None))", 10 + 3 + 1);
  expect("itemsize(drop(x, 0)) + size(drop(x, 0), 0)", 2 + 3);
  expect("numel(broadcast(x, drop(x, 0))) + numel(broadcast(y, n)) + numel(broadcast(y, bias))", 30 + 4 + 4);
  expect("at(dims, 1) + at(n, 1) + product(dims) + product(n)", 2 + 7 + 0 + 7);
  expect("nbytes(n) + nbytes(flag)", 0);
}

TEST(Expression, CountsWindowsAsPyTorchDoes) {
  expect("windows(10, 3, 1, 0, 1)", 8);
  expect("windows(10, 3, 2, 1, 1)", 5);
  expect("windows(10, 3, 1, 0, 2)", 6);
  expect("windows_ceil(10, 3, 2, 0, 1)", 5);
  expect("windows_ceil(4, 2, 3, 1, 1)", 2);
  expect("windows_ceil(11, 2, 3, 1, 1)", 4);  // the fifth would start in the right padding
}

TEST(Expression, ComparesStrings) {
  expect("1 if mode == 'sum' else 2", 1);
  expect("(mode != 'mean') + (n == 'sum') + (dims != 'x')", 2);
}

TEST(Expression, MemoryHoldsAnExpandedDimOnce) {
  auto s = *parse_signature("f(x, dtype)");
  Tensor t = shaped(Dtype::f32, {6, 5});
  t.stride = {0, 1};
  Value dtype;
  dtype.kind = ValueKind::dtype;
  dtype.text = "f64";
  Call call;
  call.args = {Value::of_tensor(t), dtype};
  EXPECT_EQ(*evaluate("nbytes(x)", s, call), 20);
  EXPECT_EQ(*evaluate("numel(x) * itemsize(dtype)", s, call), 240);
}

TEST(Expression, HostileTextsEndInErrors) {
  EXPECT_THAT(run(std::string(3000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(run(std::string(3000, '-')), HasSubstr("nested too deeply"));
  EXPECT_THAT(run(std::string(10000, '1')), HasSubstr("longer than"));
}

TEST(Expression, ListsTheNamesItUses) {
  EXPECT_THAT(Expression::parse("numel(x) + n * x.shape[k]")->names(), ElementsAre("x", "n", "k"));
}

}  // namespace
}  // namespace kbx::suite
