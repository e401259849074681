// Philox and the base variates.
#include "suite/random_stream.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/philox.h"
#include "suite/real_math.h"

namespace kbx::suite {
namespace {

// The published vectors of Random123 (kat_vectors, "philox4x32 10").
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxBlock{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxBlock{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, WordsAreTheBlocksOfPhilox) {
  RandomStream s({"a", "b"});
  static uint32_t w[kChunk];
  for (uint64_t chunk : {uint64_t(0), uint64_t(3), uint64_t(1) << 40}) {
    s.words(Lane::phase_mask, chunk, w);
    for (size_t k = 0; k < kChunk / 4; k++) {
      auto block = s.block(Lane::phase_mask, chunk * (kChunk / 4) + k);
      for (size_t j = 0; j < 4; j++) ASSERT_EQ(w[j * (kChunk / 4) + k], block[j]);
    }
  }
}

TEST(RandomStream, FieldsLanesAndChunksAreIndependent) {
  std::set<uint32_t> seen;
  static uint32_t w[kChunk];
  for (const auto& s : {RandomStream({"a", "b"}), RandomStream({"ab", ""}), RandomStream({"a", "b", ""})})
    for (Lane lane : {Lane::base, Lane::shuffle})
      for (uint64_t chunk : {0, 1}) {
        s.words(lane, chunk, w);
        seen.insert(w[0]);
      }
  EXPECT_EQ(seen.size(), 12u);
}

template <class T>
void expect_normal() {
  RandomStream s({"normal"});
  static T z[kChunk];
  constexpr int kChunks = 512;
  double sums[5] = {};
  for (int c = 0; c < kChunks; c++) {
    s.normal(Lane::base, uint64_t(c), z);
    for (T v : z) {
      ASSERT_TRUE(std::isfinite(v));
      double p = 1;
      for (double& sum : sums) sum += p, p *= double(v);
    }
  }
  double n = sums[0];  // 2^20: five standard errors of each moment
  EXPECT_NEAR(sums[1] / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(sums[2] / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(sums[3] / n, 0, 5 * std::sqrt(15 / n));
  EXPECT_NEAR(sums[4] / n, 3, 5 * std::sqrt(96 / n));
}
TEST(RandomStream, NormalHasTheMomentsOfTheNormalDistribution) {
  expect_normal<float>();
  expect_normal<double>();
}

// P(|z| > 3) = 0.0026998; a bound on the Kolmogorov distance to the distribution function by libm's erfc.
TEST(RandomStream, NormalFollowsTheDistributionFunction) {
  RandomStream s({"ks"});
  static float z[kChunk];
  std::vector<float> all;
  for (uint64_t c = 0; c < 128; c++) {
    s.normal(Lane::base, c, z);
    all.insert(all.end(), z, z + kChunk);
  }
  std::sort(all.begin(), all.end());
  double distance = 0, n = double(all.size());
  for (size_t k = 0; k < all.size(); k++)
    distance = std::max(distance, std::fabs(0.5 * std::erfc(-double(all[k]) / std::sqrt(2.0)) - (double(k) + 0.5) / n));
  EXPECT_LT(distance, 2.0 / std::sqrt(n));  // P(exceeded) < 1e-3 for a right generator; the bytes are fixed
}

TEST(RandomStream, UnitStaysBelowOneAndFillsTheRange) {
  RandomStream s({"unit"});
  static float f[kChunk];
  static double d[kChunk];
  double low = 1, high = 0;
  for (uint64_t c = 0; c < 64; c++) {
    s.unit(Lane::base, c, f);
    s.unit(Lane::base, c, d);
    for (size_t k = 0; k < kChunk; k++) {
      ASSERT_TRUE(f[k] >= 0 && f[k] < 1 && d[k] >= 0 && d[k] < 1);
      low = std::min(low, d[k]), high = std::max(high, d[k]);
    }
  }
  EXPECT_LT(low, 1e-3);
  EXPECT_GT(high, 1 - 1e-3);
}

template <class T>
void expect_functions(double tolerance) {
  for (int k = -1000; k <= 1000; k++) {
    T x = T(k) / 50, positive = exp_of(x);
    EXPECT_NEAR(double(positive) / std::exp(double(x)), 1, tolerance) << x;
    EXPECT_NEAR(double(log_of(positive)), std::log(double(positive)), tolerance * std::max(1.0, std::fabs(double(x))))
        << x;
    T angle = T(k) * T(0.785398163397448 / 1000);
    auto [c, s] = cos_sin(angle);
    EXPECT_NEAR(double(c), std::cos(double(angle)), tolerance);
    EXPECT_NEAR(double(s), std::sin(double(angle)), tolerance);
  }
  EXPECT_EQ(log_of(T(1)), 0);
  EXPECT_EQ(exp_of(T(0)), 1);
}
TEST(RealMath, AgreesWithLibmToAFewUlp) {
  expect_functions<float>(5e-7);
  expect_functions<double>(1e-15);
}

}  // namespace
}  // namespace kbx::suite
