// The interval of a ratio, and the quantile under it.
#include "stats/ratio_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stats/t_quantile.h"

namespace kbx::stats {
namespace {

TEST(TQuantile, has_the_values_of_the_printed_tables) {
  // Abramowitz and Stegun, table 26.10, two-sided 0.95 and 0.99.
  EXPECT_NEAR(t_quantile(0.95, 1), 12.706, 5e-4);
  EXPECT_NEAR(t_quantile(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(t_quantile(0.95, 9), 2.262, 5e-4);
  EXPECT_NEAR(t_quantile(0.95, 30), 2.042, 5e-4);
  EXPECT_NEAR(t_quantile(0.99, 10), 3.169, 5e-4);
  EXPECT_NEAR(t_quantile(0.95, 100000), 1.95996, 1e-4);
}

TEST(TQuantile, inverts_the_distribution) {
  for (int degrees : {1, 2, 3, 4, 7, 24, 101})
    for (double coverage : {0.5, 0.9, 0.95, 0.999}) EXPECT_NEAR(t_within(t_quantile(coverage, degrees), degrees), coverage, 1e-10);
}

TEST(RatioEstimate, is_exact_where_all_groups_agree) {
  RatioEstimate r = ratio_estimate({{20, 10}, {40, 20}, {6, 3}});
  EXPECT_DOUBLE_EQ(r.ratio, 2);
  EXPECT_NEAR(r.half_width, 0, 1e-12);
  EXPECT_EQ(r.groups, 3);
}

TEST(RatioEstimate, interval_of_two_groups_by_hand) {
  // d = log 1, log e: mean 1/2, sd sqrt(1/2), t(1) = 12.7062.
  RatioEstimate r = ratio_estimate({{1, 1}, {std::exp(1.0), 1}});
  EXPECT_NEAR(r.ratio, std::exp(0.5), 1e-12);
  EXPECT_NEAR(r.half_width, 12.7062 * 0.5, 1e-3);
}

TEST(RatioEstimate, the_first_groups_tell_the_spread_and_all_the_mean) {
  // d = 0, 1 and then 2, 2: mean 5/4, sd of the first two sqrt(1/2), t(1) = 12.7062, over sqrt(4).
  auto at = [](double d) { return GroupSums{std::exp(d), 1}; };
  RatioEstimate r = ratio_estimate({at(0), at(1), at(2), at(2)}, 2);
  EXPECT_NEAR(r.ratio, std::exp(1.25), 1e-12);
  EXPECT_NEAR(r.half_width, 12.7062 * std::sqrt(0.5) / 2, 1e-3);
  EXPECT_EQ(r.groups, 4);
  // An empty group of the first stage tells nothing, and its place is not taken by a later one.
  EXPECT_NEAR(ratio_estimate({at(0), {0, 0}, at(1), at(2), at(2)}, 3).half_width, r.half_width, 1e-12);
  EXPECT_TRUE(std::isinf(ratio_estimate({at(0), at(1)}, 1).half_width));
}

TEST(RatioEstimate, says_nothing_about_one_group_and_leaves_empty_ones_out) {
  EXPECT_TRUE(std::isinf(ratio_estimate({{2, 1}}).half_width));
  EXPECT_EQ(ratio_estimate({}).ratio, 0);
  EXPECT_EQ(ratio_estimate({{0, 0}, {2, 1}, {2, 1}}).groups, 2);
}

// Groups with a placement of their own (spread 1 %), pairs with noise on a lattice of 32 ns around 4 us: the interval
// holds the truth about as often as it says. The same bits every time.
TEST(RatioEstimate, covers_the_truth_as_often_as_it_says) {
  std::mt19937_64 random(7);
  // Sums of 12 uniforms: the standard library's normal distribution may differ between releases.
  auto normal = [&] {
    double s = -6;
    for (int k = 0; k < 12; k++) s += double(random() >> 11) * 0x1p-53;
    return s;
  };
  constexpr int kExperiments = 2000;
  int inside = 0;
  for (int e = 0; e < kExperiments; e++) {
    std::vector<GroupSums> groups;
    for (int g = 0; g < 12; g++) {
      double place = std::exp(0.01 * normal());
      GroupSums sums;
      for (int p = 0; p < 8; p++) {
        auto lattice = [](double us) { return std::round(us / 0.032) * 0.032; };
        sums.a += lattice(4.2 * place * (1 + 0.02 * normal()));
        sums.b += lattice(4.2 * (1 + 0.02 * normal()));
      }
      groups.push_back(sums);
    }
    RatioEstimate r = ratio_estimate(groups);
    inside += r.low <= 1 && 1 <= r.high;
  }
  // 0.95 +- 4 standard errors of 2000 experiments.
  EXPECT_NEAR(double(inside) / kExperiments, 0.95, 0.0195);
}

TEST(MeanEstimate, is_the_mean_with_students_interval) {
  MeanEstimate m = mean_estimate({9, 10, 11});
  EXPECT_DOUBLE_EQ(m.mean, 10);
  EXPECT_NEAR(m.high - m.mean, 4.30265 / std::sqrt(3.0), 1e-4);
  EXPECT_NEAR(m.half_width, (m.high - m.mean) / 10, 1e-12);
}

}  // namespace
}  // namespace kbx::stats
