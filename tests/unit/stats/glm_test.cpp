// Binomial GLM, separation and Firth: closed forms and published figures. Wider comparisons: tests/stats.
#include "stats/glm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/firth.h"
#include "stats/random.h"

namespace kbx::stats {
namespace {

// A 2 x 2 table: an intercept and a column for the second row.
BinomialData two_rows(double s0, double n0, double s1, double n1) { return {2, {1, 0, 1, 1}, {s0, s1}, {n0, n1}}; }

double log_odds(double s, double n) { return std::log(s / (n - s)); }

TEST(FitBinomial, is_the_log_odds_of_a_two_by_two_table) {
  GlmFit fit = fit_binomial(two_rows(3, 10, 12, 16));
  ASSERT_TRUE(fit.converged);
  EXPECT_EQ(fit.separation, Separation::none);
  EXPECT_NEAR(fit.coefficients[0].value, log_odds(3, 10), 1e-12);
  EXPECT_NEAR(fit.coefficients[1].value, log_odds(12, 16) - log_odds(3, 10), 1e-12);
  EXPECT_NEAR(fit.coefficients[1].standard_error, std::sqrt(1 / 3.0 + 1 / 7.0 + 1 / 12.0 + 1 / 4.0), 1e-10);  // Woolf 1955
  EXPECT_NEAR(fit.deviance, common_deviance(3, 10) + common_deviance(12, 16), 1e-10);
  EXPECT_NEAR(fit.null_deviance, common_deviance(15, 26), 1e-12);
  EXPECT_NEAR(fit.fitted[1], 0.75, 1e-12);
}

TEST(FitBinomial, does_not_depend_on_how_trials_are_merged_into_rows) {
  Random random(4);
  BinomialData spread{2, {}, {}, {}}, merged{2, {}, {}, {}};
  for (int level = 0; level < 5; level++) {
    double s = 0;
    for (int k = 0; k < 9; k++) {
      double success = random.uniform() < 0.3 + 0.1 * level ? 1 : 0;
      s += success;
      spread.design.insert(spread.design.end(), {1, double(level)});
      spread.successes.push_back(success);
      spread.trials.push_back(1);
    }
    merged.design.insert(merged.design.end(), {1, double(level)});
    merged.successes.push_back(s);
    merged.trials.push_back(9);
  }
  GlmFit a = fit_binomial(spread), b = fit_binomial(merged);
  EXPECT_NEAR(a.deviance, b.deviance, 1e-10);
  EXPECT_NEAR(a.coefficients[1].value, b.coefficients[1].value, 1e-11);
  EXPECT_NEAR(a.coefficients[1].standard_error, b.coefficients[1].standard_error, 1e-11);
}

TEST(FitBinomial, leaves_out_what_repeats_earlier_columns_and_rows_without_trials) {
  BinomialData d{3, {1, 0, 2, 1, 1, 3, 1, 5, 7}, {3, 12, 0}, {10, 16, 0}};  // the third column is 2 + the second
  GlmFit fit = fit_binomial(d);
  EXPECT_EQ(fit.parameters, 2);
  EXPECT_TRUE(fit.coefficients[2].aliased);
  EXPECT_NEAR(fit.coefficients[1].value, log_odds(12, 16) - log_odds(3, 10), 1e-12);
}

TEST(Separation, is_told_from_a_mere_extreme_fit) {
  EXPECT_EQ(fit_binomial(two_rows(0, 10, 12, 16)).separation, Separation::quasi);
  EXPECT_EQ(fit_binomial(two_rows(0, 10, 16, 16)).separation, Separation::complete);
  EXPECT_EQ(fit_binomial(two_rows(1, 1e7, 12, 16)).separation, Separation::none);  // a fitted value of 1e-7
}

TEST(Separation, has_the_limit_of_the_deviance_without_a_crash) {
  GlmFit fit = fit_binomial(two_rows(0, 10, 12, 16));
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.deviance, common_deviance(12, 16), 1e-9);  // the first row is explained wholly
  EXPECT_NEAR(fit_binomial(two_rows(0, 10, 16, 16)).deviance, 0, 1e-9);
}

TEST(Firth, adds_half_a_trial_to_each_count_of_a_two_by_two_table) {
  // For a saturated model the penalty is Jeffreys': half a success and half a failure more in every row.
  FirthFit fit = fit_firth(two_rows(0, 10, 12, 16));
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.coefficients[0].value, log_odds(0.5, 11), 1e-9);
  EXPECT_NEAR(fit.coefficients[1].value, log_odds(12.5, 17) - log_odds(0.5, 11), 1e-9);
}

TEST(Firth, has_a_finite_lopsided_interval_where_wald_has_none) {
  BinomialData d = two_rows(0, 10, 12, 16);
  double estimate = fit_firth(d).coefficients[1].value;
  auto interval = firth_interval(d, 1);
  ASSERT_TRUE(interval);
  EXPECT_GT(interval->low, 0);
  EXPECT_GT(interval->high - estimate, estimate - interval->low);
  EXPECT_LT(interval->high, 20);
}

TEST(Firth, is_near_the_plain_fit_where_data_are_many) {
  BinomialData d = two_rows(30000, 100000, 75000, 100000);
  EXPECT_NEAR(fit_firth(d).coefficients[1].value, fit_binomial(d).coefficients[1].value, 1e-4);
}

}  // namespace
}  // namespace kbx::stats
