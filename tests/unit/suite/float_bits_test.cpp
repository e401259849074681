// Number formats.
#include "suite/float_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace kbx::suite {
namespace {

template <class Bits>
Bits bits_of(Dtype dtype, float value) {
  std::byte to[8];
  store(dtype, &value, 1, to);
  Bits bits;
  std::memcpy(&bits, to, sizeof bits);
  return bits;
}

// Every pattern survives decoding and encoding; between neighbours a and b: the midpoint goes to the even one, a
// little less or more to the nearer one.
template <class Bits>
void expect_round_trip(Dtype dtype, unsigned count) {
  for (unsigned p = 0; p < count; p++) {
    auto pattern = Bits(p);
    std::byte raw[8];
    std::memcpy(raw, &pattern, sizeof pattern);
    double value = load(dtype, raw);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(load(dtype, raw)));
      continue;
    }
    ASSERT_EQ(bits_of<Bits>(dtype, float(value)), pattern) << p;
    auto next = Bits(pattern + 1);
    std::memcpy(raw, &next, sizeof next);
    double above = load(dtype, raw);
    if (std::signbit(value) || !std::isfinite(above) || above <= value) continue;
    auto middle = float((value + above) / 2);
    if (double(middle) != (value + above) / 2) continue;  // below float's own range
    ASSERT_EQ(bits_of<Bits>(dtype, middle), pattern & 1 ? next : pattern) << p;
    if (middle < 1e-37f) continue;
    ASSERT_EQ(bits_of<Bits>(dtype, std::nextafter(middle, 0.0f)), pattern) << p;
    ASSERT_EQ(bits_of<Bits>(dtype, std::nextafter(middle, std::numeric_limits<float>::infinity())), next) << p;
  }
}
TEST(FloatBits, SmallFormatsRoundToNearestEven) {
  expect_round_trip<uint16_t>(Dtype::f16, 65536);
  expect_round_trip<uint16_t>(Dtype::bf16, 65536);
  expect_round_trip<uint8_t>(Dtype::f8e4m3, 256);
  expect_round_trip<uint8_t>(Dtype::f8e5m2, 256);
}

TEST(FloatBits, OverflowAndNan) {
  float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(bits_of<uint16_t>(Dtype::f16, 65519.0f), 0x7bff);
  EXPECT_EQ(bits_of<uint16_t>(Dtype::f16, 65520.0f), 0x7c00);
  EXPECT_EQ(bits_of<uint16_t>(Dtype::f16, -1e30f), 0xfc00);
  EXPECT_EQ(bits_of<uint16_t>(Dtype::f16, nan), 0x7e00);
  EXPECT_EQ(bits_of<uint16_t>(Dtype::bf16, infinity), 0x7f80);
  EXPECT_EQ(bits_of<uint16_t>(Dtype::bf16, nan), 0x7fc0);
  EXPECT_EQ(bits_of<uint8_t>(Dtype::f8e4m3, 464.0f), 0x7e);  // halfway to 480 would be even 448
  EXPECT_EQ(bits_of<uint8_t>(Dtype::f8e4m3, 500.0f), 0x7f);
  EXPECT_EQ(bits_of<uint8_t>(Dtype::f8e5m2, 1e6f), 0x7c);
}

TEST(FloatBits, IntegersRoundAndSaturate) {
  EXPECT_EQ(bits_of<int8_t>(Dtype::i8, 2.5f), 2);
  EXPECT_EQ(bits_of<int8_t>(Dtype::i8, -300), -128);
  EXPECT_EQ(bits_of<uint8_t>(Dtype::u8, -1), 0);
  EXPECT_EQ(bits_of<int64_t>(Dtype::i64, 1e30f), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(bits_of<int32_t>(Dtype::i32, std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(bits_of<uint8_t>(Dtype::boolean, -0.5f), 1);
}

TEST(FloatBits, LimitsAreValuesOfTheType) {
  for (Dtype d : {Dtype::f16, Dtype::bf16, Dtype::f8e4m3, Dtype::f8e5m2, Dtype::f32, Dtype::f64})
    for (double limit : {greatest(d), least(d), smallest_normal(d), smallest_positive(d)}) {
      std::byte to[8];
      store(d, &limit, 1, to);
      EXPECT_EQ(load(d, to), limit) << to_text(d);
    }
  EXPECT_EQ(just_below(Dtype::f16, 1.0), 1 - 0x1p-11);
  EXPECT_EQ(just_below(Dtype::f32, 1.5), 1.5 - 0x1p-23);
  EXPECT_EQ(just_below(Dtype::bf16, 0.0), -smallest_positive(Dtype::bf16));
  EXPECT_EQ(just_below(Dtype::f64, -1.0), -1 - 0x1p-52);
  EXPECT_EQ(just_below(Dtype::f16, 1.0001), 1.0);
  EXPECT_EQ(just_below(Dtype::i32, 5.0), 4.0);
}

}  // namespace
}  // namespace kbx::suite
