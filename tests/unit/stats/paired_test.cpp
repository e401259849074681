// Paired tests and rank correlation: figures worked out by hand. Wider comparisons: tests/stats.
#include "stats/paired.h"

#include <gtest/gtest.h>

#include "stats/fast_p.h"
#include "stats/rank_correlation.h"
#include "stats/ranks.h"

namespace kbx::stats {
namespace {

TEST(Mcnemar, is_the_binomial_test_of_what_changed) {
  EXPECT_NEAR(mcnemar_exact(8, 1), 2 * 10.0 / 512, 1e-14);
  EXPECT_EQ(mcnemar_exact(1, 8), mcnemar_exact(8, 1));
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
  EXPECT_EQ(mcnemar_exact(4, 4), 1);
}

TEST(Ranks, share_the_mean_among_ties) {
  Ranks r = ranks_of(std::vector<double>{3, 1, 3, 2});
  EXPECT_EQ(r.rank, (std::vector<double>{3.5, 1, 3.5, 2}));
  EXPECT_EQ(r.tie_sizes, (std::vector<size_t>{1, 1, 2}));
}

TEST(Wilcoxon, counts_signs_exactly) {
  auto all_up = wilcoxon_signed_rank(std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_NEAR(all_up->p, 2.0 / 32, 1e-14);
  EXPECT_EQ(all_up->rank_sum_up, 15);
  // Ranks 1, 2.5, 2.5; down is the 1: sums <= 1 are 0 and 1, two of eight.
  auto tied = wilcoxon_signed_rank(std::vector<double>{-1, 2, 2, 0});
  EXPECT_EQ(tied->pairs, 3);
  EXPECT_NEAR(tied->p, 2 * 2.0 / 8, 1e-14);
  EXPECT_FALSE(wilcoxon_signed_rank(std::vector<double>{0, 0}));
}

TEST(Wilcoxon, goes_over_to_the_normal_without_a_jump) {
  std::vector<double> d;
  for (int k = 1; k <= kExactPairs; k++) d.push_back(k % 3 == 0 ? -k : k);
  auto exact = wilcoxon_signed_rank(d);
  d.push_back(kExactPairs + 1);
  auto normal = wilcoxon_signed_rank(d);
  EXPECT_TRUE(exact->exact);
  EXPECT_FALSE(normal->exact);
  EXPECT_NEAR(normal->p / exact->p, 0.75, 0.15);
}

TEST(RankCorrelation, sees_order_alone) {
  std::vector<double> a = {1, 2, 3, 4, 5, 6}, cubes = {1, 8, 27, 64, 125, 216}, swapped = {2, 1, 3, 4, 5, 6};
  EXPECT_EQ(rank_correlation(a, cubes)->spearman.value, 1);
  auto r = rank_correlation(a, swapped);
  EXPECT_NEAR(r->spearman.value, 1 - 6 * 2.0 / (6 * 35), 1e-14);
  EXPECT_NEAR(r->kendall.value, 13.0 / 15, 1e-14);
  EXPECT_TRUE(r->kendall.interval.holds(r->kendall.value));
  EXPECT_LT(r->kendall.interval.high, 1);
}

TEST(RankCorrelation, says_nothing_about_too_little) {
  EXPECT_FALSE(rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_FALSE(rank_correlation(std::vector<double>{1, 1, 1, 1, 1, 1}, std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(FastP, keeps_wrong_candidates_in_the_denominator) {
  auto curve = fast_p_curve(std::vector<double>{0.5, 1, 1.2, 3}, 10, std::vector<double>{0, 1, 2});
  ASSERT_EQ(curve.size(), 3u);
  EXPECT_EQ(curve[0].share.value, 0.4);
  EXPECT_EQ(curve[1].faster, 2);  // 1 is not faster than 1
  EXPECT_EQ(curve[2].share.value, 0.1);
  EXPECT_TRUE(curve[2].share.interval.holds(0.1));
  EXPECT_TRUE(fast_p_curve({}, 0, std::vector<double>{1}).empty());
}

}  // namespace
}  // namespace kbx::stats
