// Intervals: printed tables, edges, and how often they hold the truth (reduced; all of it: bench/stats_coverage).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "stats/bootstrap.h"
#include "stats/geometric_mean.h"
#include "stats/glm.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/random.h"
#include "stats/special.h"
#include "stats/task_means.h"

namespace kbx::stats {
namespace {

TEST(Random, depends_on_seed_and_stream_alone) {
  Random a(1, 2), same(1, 2), other_stream(1, 3), other_seed(2, 2);
  uint64_t first = a.next();
  EXPECT_EQ(first, same.next());
  EXPECT_NE(first, other_stream.next());
  EXPECT_NE(first, other_seed.next());
}

TEST(Random, is_even_below_a_bound_and_normal) {
  Random random(3);
  std::array<int, 7> counts{};
  double sum = 0, squares = 0;
  constexpr int kDraws = 70000;
  for (int k = 0; k < kDraws; k++) {
    counts[random.below(7)]++;
    double z = random.normal();
    sum += z;
    squares += z * z;
  }
  for (int c : counts) EXPECT_NEAR(c, 10000, 5 * std::sqrt(10000 * 6 / 7.0));
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(double(kDraws)));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

TEST(Special, has_the_values_of_the_printed_tables) {
  EXPECT_NEAR(chi_square_tail(3.841459, 1), 0.05, 1e-7);     // Abramowitz and Stegun, table 26.8
  EXPECT_NEAR(chi_square_tail(23.68479, 14), 0.05, 1e-6);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540, 1e-11);
  EXPECT_NEAR(beta_regularised(2, 3, 0.5), 11.0 / 16, 1e-14);
  EXPECT_NEAR(binomial_below(3, 10, 0.5), 176.0 / 1024, 1e-14);
  EXPECT_EQ(chi_square_tail(0, 3), 1);
}

TEST(Wilson, has_newcombes_figures) {
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3 (score) and 5 (exact).
  struct Row { int64_t s, n; double low, high, exact_low, exact_high; };
  const Row rows[] = {{81, 263, 0.2553, 0.3662, 0.2527, 0.3676}, {15, 148, 0.0624, 0.1605, 0.0578, 0.1617}, 
                      {0, 20, 0, 0.1611, 0, 0.1684}, {1, 29, 0.0061, 0.1718, 0.0009, 0.1776}};
  for (const Row& r : rows) {
    Interval w = *wilson_interval(r.s, r.n), c = *clopper_pearson_interval(r.s, r.n);
    EXPECT_NEAR(w.low, r.low, 5.1e-5);
    EXPECT_NEAR(w.high, r.high, 5.1e-5);
    EXPECT_NEAR(c.low, r.exact_low, 5.1e-5);
    EXPECT_NEAR(c.high, r.exact_high, 5.1e-5);
  }
  EXPECT_FALSE(wilson_interval(0, 0));
  EXPECT_FALSE(clopper_pearson_interval(0, 0));
}

TEST(ClopperPearson, never_covers_less_than_it_says) {
  for (double p : {0.02, 0.1, 0.37, 0.5}) {  // exactly, over all outcomes
    double held = 0;
    for (int64_t s = 0; s <= 25; s++) {
      double chance = binomial_below(s, 25, p) - binomial_below(s - 1, 25, p);
      if (clopper_pearson_interval(s, 25)->holds(p)) held += chance;
    }
    EXPECT_GE(held, 0.95);
  }
}

TEST(Quantile, interpolates_and_says_when_there_is_too_little) {
  std::vector<double> v = {4, 1, 3, 2, 5};
  EXPECT_EQ(*quantile(v, 0.5), 3);
  EXPECT_EQ(*quantile(v, 0.1), 1.4);
  EXPECT_EQ(*quantile(v, 1), 5);
  EXPECT_FALSE(quantile({}, 0.5));
  EXPECT_FALSE(quantile_interval(v, 0.5));
  v.push_back(6);
  EXPECT_EQ(quantile_interval(v, 0.5)->low, 1);
  EXPECT_EQ(quantile_interval(v, 0.5)->high, 6);
}

TEST(GeometricMean, is_exact_in_the_log_domain) {
  auto e = geometric_mean_estimate(std::vector<double>{1, 4});
  ASSERT_TRUE(e);
  EXPECT_NEAR(e->value, 2, 1e-12);
  EXPECT_NEAR(std::log(e->interval.high / 2), 12.7062 * std::log(2.0), 1e-3);
  EXPECT_FALSE(geometric_mean_estimate(std::vector<double>{3}));
}

TEST(ClusterBootstrap, says_nothing_about_too_few_clusters) {
  EXPECT_FALSE(task_mean(std::vector<double>{0, 1}, {}));
  EXPECT_TRUE(task_mean(std::vector<double>{0, 1, 1}, {}));
}

TEST(MeanPassAtK, leaves_out_tasks_with_too_few_samples) {
  std::vector<TaskSamples> tasks = {{10, 5}, {10, 0}, {10, 10}, {2, 2}};
  auto p = mean_pass_at_k(tasks, 3, {.seed = 1});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->tasks, 3);
  EXPECT_EQ(p->left_out, 1);
  EXPECT_NEAR(p->mean.value, (1 - 10.0 / 120 + 0 + 1) / 3, 1e-12);  // C(5,3) / C(10,3)
  EXPECT_TRUE(p->mean.interval.holds(p->mean.value));
}

// 500 data sets with fixed seeds: 0.95 within 4 standard errors of 500 experiments.
constexpr int kDataSets = 500;
constexpr double kNear = 0.039;

TEST(Coverage, of_the_mean_over_tasks) {
  Random random(11);
  int held = 0;
  for (int k = 0; k < kDataSets; k++) {
    std::vector<double> v;
    for (int t = 0; t < 50; t++) v.push_back(random.uniform() * random.uniform());
    held += task_mean(v, {.seed = uint64_t(k), .replicates = 400})->interval.holds(0.25);
  }
  EXPECT_NEAR(double(held) / kDataSets, 0.95, kNear);
}

TEST(Coverage, of_a_coefficient) {
  Random random(12);
  int held = 0;
  for (int k = 0; k < kDataSets; k++) {
    BinomialData d{2, {}, {}, {}};
    for (int level = -2; level <= 2; level++) {
      double s = 0;
      for (int t = 0; t < 30; t++) s += random.uniform() < 1 / (1 + std::exp(0.3 - 0.6 * level)) ? 1 : 0;
      d.design.insert(d.design.end(), {1, double(level)});
      d.successes.push_back(s);
      d.trials.push_back(30);
    }
    Coefficient c = fit_binomial(d).coefficients[1];
    held += std::abs(c.value - 0.6) <= normal_quantile(0.975) * c.standard_error;
  }
  EXPECT_NEAR(double(held) / kDataSets, 0.95, kNear);
}

}  // namespace
}  // namespace kbx::stats
