// The narrow formats, against their definitions.
#include "judge/half.h"

#include <gtest/gtest.h>

#include "judge/view.h"
#include "tensors.h"

namespace kbx::judge {
namespace {

TEST(Half, F16LandmarksDecode) {
  EXPECT_EQ(from_f16(0x3c00), 1.0f);
  EXPECT_EQ(from_f16(0xc000), -2.0f);
  EXPECT_EQ(from_f16(0x7bff), 65504.0f);
  EXPECT_EQ(from_f16(0x0400), 0x1p-14f);
  EXPECT_EQ(from_f16(0x0001), 0x1p-24f);
  EXPECT_EQ(from_f16(0x83ff), -1023 * 0x1p-24f);
  EXPECT_EQ(from_f16(0x7c00), float(kInf));
  EXPECT_EQ(from_f16(0xfc00), -float(kInf));
  EXPECT_TRUE(std::isnan(from_f16(0x7fff)));
  EXPECT_TRUE(std::signbit(from_f16(0x8000)));
}

TEST(Half, F16DecodesEveryPatternThatEncodesBack) {
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float v = from_f16(uint16_t(bits));
    if (std::isnan(v)) continue;
    EXPECT_EQ(to_f16(double(v)), bits);
  }
}

TEST(Half, ViewReadsAsTheScalarDecoderDoes) {
  std::vector<uint16_t> all(0x10000);
  for (uint32_t k = 0; k < all.size(); k++) all[k] = uint16_t(k);
  View f16(make_tensor(Dtype::f16, {0x10000}, bytes_of(all))), bf16(make_tensor(Dtype::bf16, {0x10000}, bytes_of(all)));
  auto a = f16.all(), b = bf16.all();
  for (uint32_t k = 0; k < all.size(); k++) {
    float x = from_f16(uint16_t(k)), y = from_bf16(uint16_t(k));
    EXPECT_TRUE(std::isnan(x) ? std::isnan(a[k]) : a[k] == double(x)) << k;
    EXPECT_TRUE(std::isnan(y) ? std::isnan(b[k]) : b[k] == double(y)) << k;
  }
}

TEST(Half, Fp8LandmarksDecode) {
  EXPECT_EQ(from_f8e4m3(0x38), 1.0f);
  EXPECT_EQ(from_f8e4m3(0x7e), 448.0f);
  EXPECT_EQ(from_f8e4m3(0x01), 0x1p-9f);
  EXPECT_EQ(from_f8e4m3(0x88), -0x1p-6f);
  EXPECT_TRUE(std::isnan(from_f8e4m3(0x7f)));
  EXPECT_TRUE(std::isnan(from_f8e4m3(0xff)));
  EXPECT_EQ(from_f8e5m2(0x3c), 1.0f);
  EXPECT_EQ(from_f8e5m2(0x7b), 57344.0f);
  EXPECT_EQ(from_f8e5m2(0x7c), float(kInf));
  EXPECT_EQ(from_f8e5m2(0x01), 0x1p-16f);
}

TEST(View, ReadsStridedTensorsInRowMajorOrder) {
  Tensor t = tensor(Dtype::f32, {2, 3}, {1, 2, 3, 4, 5, 6});
  t.shape = {3, 2};
  t.stride = {1, 3};
  EXPECT_EQ(View(t).all(), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST(View, IndexOfIsRowMajorAndEmptyForScalars) {
  EXPECT_EQ(index_of(7, {2, 3, 2}), (std::vector<int64_t>{1, 0, 1}));
  EXPECT_TRUE(index_of(0, {}).empty());
}

}  // namespace
}  // namespace kbx::judge
