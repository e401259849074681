// The wire's numbers as python gets them.
#include "worker/wire.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "worker/exports.h"

namespace kbx::worker {
namespace {

TEST(Wire, HeaderIsSixteenBytesLittleEndian) {
  FrameHeader header{{'K', 'B', 'X', 'W'}, 0x0102, 0x0304, 0x05060708, 0x090a0b0c};
  const std::array<unsigned char, 16> want{'K', 'B', 'X', 'W', 2, 1, 4, 3, 8, 7, 6, 5, 12, 11, 10, 9};
  EXPECT_EQ(std::memcmp(&header, want.data(), want.size()), 0);
}

TEST(Wire, ConstantsAreGivenInOrderAndNeverBeyondTheCapacity) {
  std::array<uint64_t, 64> numbers{};
  const size_t count = kbx_wire_constants(numbers.data(), numbers.size());
  ASSERT_GT(count, 9u);
  ASSERT_LT(count, numbers.size());
  EXPECT_EQ(numbers[0], kProtocol);
  EXPECT_EQ(numbers[2], sizeof(FrameHeader));
  EXPECT_EQ(numbers[9], kMaxFrameBytes);
  std::array<uint64_t, 3> few{0, 0, 99};
  EXPECT_EQ(kbx_wire_constants(few.data(), 2), count);
  EXPECT_EQ(few[2], 99u);
}

// The poison is a NaN in every float format that a candidate may choose.
TEST(Wire, PoisonIsNotANumber) {
  const uint32_t word = kPoison | uint32_t{kPoison} << 16;
  float single = 0;
  std::memcpy(&single, &word, sizeof single);
  EXPECT_NE(single, single);
  const uint64_t two = word | uint64_t{word} << 32;
  double real = 0;
  std::memcpy(&real, &two, sizeof real);
  EXPECT_NE(real, real);
  EXPECT_EQ(kPoison & 0x7c00, 0x7c00);  // f16: exponent all ones,
  EXPECT_NE(kPoison & 0x03ff, 0);       // mantissa not zero
  EXPECT_EQ(kPoison & 0x7f80, 0x7f80);  // bf16 likewise
  EXPECT_EQ(kPoison >> 8, 0x7f);        // e4m3fn: 0x7f and 0xff are its NaNs; e5m2 has both among its own
  EXPECT_EQ(kPoison & 0xff, 0xff);
}

}  // namespace
}  // namespace kbx::worker
