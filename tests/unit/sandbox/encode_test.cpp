// Calls whose tensors are drawn where they are needed, and names that tell variadic values apart.
#include "sandbox/encode.h"

#include <gmock/gmock.h>

namespace kbx::sandbox {
namespace {

Value outline(std::vector<int64_t> shape) {
  Tensor t;
  t.shape = std::move(shape);
  return Value::of_tensor(std::move(t));
}

TEST(EncodeNames, ValuesOfAVariadicParameterAreToldApartAsItemsOfAListAre) {
  Call call;
  call.args = {outline({2}), outline({3}), outline({4}), outline({5})};
  auto e = encode_call(call, {"first", "tensors", "tensors", "tensors"});
  EXPECT_EQ(e.args[0]["name"], "first");
  EXPECT_EQ(e.args[1]["name"], "tensors[0]");
  EXPECT_EQ(e.args[2]["name"], "tensors[1]");
  EXPECT_EQ(e.args[3]["name"], "tensors[2]");
}

TEST(EncodeNames, WhatHasNoNameHasItsPlace) {
  Call call;
  call.args = {outline({2}), outline({3})};
  auto e = encode_call(call, {""});
  EXPECT_EQ(e.args[0]["name"], "argument 0");
  EXPECT_EQ(e.args[1]["name"], "argument 1");
}

TEST(EncodeDraws, EachTensorTakesTheNextAndNoBytesArePlaced) {
  Value list;
  list.kind = ValueKind::list;
  list.items = {outline({2}), outline({3})};
  Call call;
  call.args = {list, Value::of_int(7)};
  call.kwargs.emplace_back("mask", outline({4}));
  auto e = encode_call(call, {"params", "n"}, {{{"dist", "normal"}}, {{"dist", "uniform"}}, {{"dist", "randint"}}});
  EXPECT_EQ(e.args[0]["v"][0]["draw"]["dist"], "normal");
  EXPECT_EQ(e.args[0]["v"][0]["name"], "params[0]");
  EXPECT_EQ(e.args[0]["v"][1]["draw"]["dist"], "uniform");
  EXPECT_EQ(e.args[0]["v"][1]["shape"], Json({3}));
  EXPECT_EQ(e.kwargs["mask"]["draw"]["dist"], "randint");
  EXPECT_EQ(e.args[1], Json({{"t", "int"}, {"v", 7}}));
  EXPECT_EQ(e.args[0]["v"][0]["bytes"], 0);
  EXPECT_TRUE(e.placements.empty());
  EXPECT_EQ(e.bytes, 0);
}

TEST(EncodeDraws, TheSameShapeTwiceIsTwoTensors) {
  Call call;
  call.args = {outline({2}), outline({2})};
  auto e = encode_call(call, {"a", "b"}, {{{"dist", "normal"}}, {{"dist", "uniform"}}});
  EXPECT_EQ(e.args[0]["t"], "tensor");
  EXPECT_EQ(e.args[1]["t"], "tensor");
  EXPECT_EQ(e.args[1]["draw"]["dist"], "uniform");
}

}  // namespace
}  // namespace kbx::sandbox
