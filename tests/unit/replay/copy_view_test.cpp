// replay: copies between strided views cast as torch does.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "replay/copy_view.h"

namespace kbx::replay {
namespace {

template <class To, class From>
std::vector<To> cast(Dtype to, Dtype from, const std::vector<From>& values) {
  std::vector<To> out(values.size());
  int64_t n = int64_t(values.size());
  copy_view({0, to, 0, {n}, {1}}, reinterpret_cast<uint8_t*>(out.data()), {0, from, 0, {n}, {1}}, reinterpret_cast<const uint8_t*>(values.data()));
  return out;
}

TEST(CopyView, StridesAndBroadcast) {
  std::vector<int32_t> from{1, 2, 3, 4, 5, 6}, to(6, 0);
  auto* a = reinterpret_cast<uint8_t*>(to.data());
  auto* b = reinterpret_cast<const uint8_t*>(from.data());
  copy_view({0, Dtype::i32, 0, {3, 2}, {2, 1}}, a, {0, Dtype::i32, 0, {3, 2}, {1, 3}}, b);  // transposed
  EXPECT_EQ(to, (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  copy_view({0, Dtype::i32, 1, {2, 2}, {2, 1}}, a, {0, Dtype::i32, 5, {2, 2}, {0, 0}}, b);  // one element for all
  EXPECT_EQ(to, (std::vector<int32_t>{1, 6, 6, 6, 6, 6}));
  copy_view({0, Dtype::i32, 0, {0, 2}, {2, 1}}, a, {0, Dtype::i32, 0, {0, 2}, {2, 1}}, b);  // no element
  EXPECT_EQ(to[0], 1);
}

TEST(CopyView, OneElementOfNoDimension) {
  float from = 2.5f;
  double to = 0;
  copy_view({0, Dtype::f64, 0, {}, {}}, reinterpret_cast<uint8_t*>(&to), {0, Dtype::f32, 0, {}, {}}, reinterpret_cast<const uint8_t*>(&from));
  EXPECT_EQ(to, 2.5);
}

TEST(CopyView, FloatsRoundToNearestEven) {
  EXPECT_EQ((cast<uint16_t>(Dtype::f16, Dtype::f32, std::vector<float>{1.0f, 2049.0f, 2051.0f, 70000.0f})), (std::vector<uint16_t>{0x3c00, 0x6800, 0x6802, 0x7c00}));
  EXPECT_EQ((cast<uint16_t>(Dtype::bf16, Dtype::f32, std::vector<float>{1.00390625f, 1.01171875f})), (std::vector<uint16_t>{0x3f80, 0x3f82}));
  EXPECT_EQ((cast<float>(Dtype::f32, Dtype::f16, std::vector<uint16_t>{0x3c00, 0xfc00})), (std::vector<float>{1, -std::numeric_limits<float>::infinity()}));
}

TEST(CopyView, EightBitFloatsDoNotSaturate) {
  EXPECT_EQ((cast<uint8_t>(Dtype::f8e4m3, Dtype::f32, std::vector<float>{448, 464, 465, -1000})), (std::vector<uint8_t>{0x7e, 0x7e, 0x7f, 0xff}));
  EXPECT_EQ((cast<uint8_t>(Dtype::f8e5m2, Dtype::f32, std::vector<float>{57344, 61440, -70000})), (std::vector<uint8_t>{0x7b, 0x7c, 0xfc}));
}

TEST(CopyView, IntegersKeepAll64Bits) {
  int64_t big = (int64_t(1) << 62) + 1;
  EXPECT_EQ((cast<int64_t>(Dtype::i64, Dtype::i64, std::vector<int64_t>{big})), std::vector<int64_t>{big});
  EXPECT_EQ((cast<int32_t>(Dtype::i32, Dtype::i64, std::vector<int64_t>{big})), std::vector<int32_t>{1});
  EXPECT_EQ((cast<int8_t>(Dtype::i8, Dtype::f32, std::vector<float>{-3.9f, 3.9f})), (std::vector<int8_t>{-3, 3}));
  EXPECT_EQ((cast<uint8_t>(Dtype::boolean, Dtype::f32, std::vector<float>{0.0f, -0.0f, 0.25f, std::nanf("")})), (std::vector<uint8_t>{0, 0, 1, 1}));
}

TEST(CopyView, ThereIsNoCastBetweenComplexAndReal) {
  EXPECT_FALSE(can_cast(Dtype::c64, Dtype::f32));
  EXPECT_FALSE(can_cast(Dtype::c64, Dtype::c128));
  EXPECT_TRUE(can_cast(Dtype::c64, Dtype::c64));
  EXPECT_TRUE(can_cast(Dtype::boolean, Dtype::bf16));
}

TEST(FillView, FillsTheViewAlone) {
  std::vector<int16_t> memory(5, 0);
  int16_t nine = 9;
  fill_view({0, Dtype::i16, 1, {2}, {2}}, reinterpret_cast<uint8_t*>(memory.data()), reinterpret_cast<const uint8_t*>(&nine));
  EXPECT_EQ(memory, (std::vector<int16_t>{0, 9, 0, 9, 0}));
}

}  // namespace
}  // namespace kbx::replay
