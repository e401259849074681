// The reward: bounded, monotone, nothing for what was refused or not measured.
#include "stats/reward.h"

#include <gtest/gtest.h>

namespace kbx::stats {
namespace {

RewardFacts accepted(double error, double time) { return {true, error, std::vector<SizeFact>{{time, 10, 0.98}, {2 * time, 15, 0.99}}}; }

TEST(Reward, pays_nothing_for_what_was_refused) {
  RewardFacts facts = accepted(0, 10);
  facts.accepted = false;
  Reward r = reward_of(facts, {});
  EXPECT_EQ(r.score, 0);
  EXPECT_FALSE(r.fidelity);
  EXPECT_FALSE(r.efficiency);
}

TEST(Reward, falls_with_the_error_and_stays_within_its_bounds) {
  double last = 2;
  for (int k = 0; k <= 1000; k++) {
    double score = reward_of(accepted(k / 1000.0, 30), {}).score;
    EXPECT_LE(score, last);
    EXPECT_GE(score, RewardSpec{}.correct);
    EXPECT_LT(last < 2 ? last - score : 0, 0.001);  // continuous
    last = score;
  }
  EXPECT_LT(last, reward_of(accepted(0, 30), {}).score);
}

TEST(Reward, falls_with_the_time_and_stays_within_its_bounds) {
  double last = 2;
  for (double time = 1; time < 1e6; time *= 1.01) {
    double score = reward_of(accepted(0.1, time), {}).score;
    EXPECT_LE(score, last);
    EXPECT_GE(score, 0.5);
    EXPECT_LE(score, 1);
    last = score;
  }
  EXPECT_NEAR(last, 0.5, 1e-4);
  EXPECT_EQ(reward_of(accepted(0, 1e-9), {}).score, 1);  // no share counts above 1
}

TEST(Reward, takes_the_lower_end_of_the_interval) {
  auto with = [](double low_factor) { return RewardFacts{true, 0, std::vector<SizeFact>{{20, 10, low_factor}}}; };
  RewardFacts sure = with(1), unsure = with(0.8), none = with(0);
  EXPECT_NEAR(*reward_of(sure, {}).efficiency, 0.5, 1e-12);
  EXPECT_NEAR(*reward_of(unsure, {}).efficiency, 0.4, 1e-12);
  EXPECT_EQ(*reward_of(none, {}).efficiency, 0);
}

TEST(Reward, does_not_pay_for_a_time_that_nobody_took) {
  Reward r = reward_of({true, 0.0, std::nullopt}, {});
  EXPECT_FALSE(r.efficiency);
  EXPECT_NEAR(r.score, 0.5, 1e-12);
  EXPECT_NEAR(r.most, 0.5, 1e-12);
}

TEST(Reward, does_not_pay_for_more_exactness_than_the_reference_has) {
  EXPECT_EQ(reward_of(accepted(0, 30), {}).score, reward_of(accepted(0.25, 30), {}).score);
  EXPECT_GT(reward_of(accepted(0.25, 30), {}).score, reward_of(accepted(0.26, 30), {}).score);
  EXPECT_EQ(*reward_of({true, std::nullopt, std::nullopt}, {}).fidelity, 1);  // an oracle of right and wrong
}

TEST(RewardSpec, reads_what_it_writes) {
  auto spec = RewardSpec::parse("correct=0.1,fidelity=0.4,efficiency=0.5,forgiven=0,in_process=1");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->fidelity, 0.4);
  EXPECT_TRUE(spec->in_process);
  EXPECT_EQ(RewardSpec::parse(spec->text())->text(), spec->text());
  EXPECT_EQ(RewardSpec::parse("default")->text(), RewardSpec{}.text());
}

TEST(RewardSpec, says_what_is_wrong_with_it) {
  for (const char* text : {"", "speed=1", "correct=x", "correct=1.5", "correct=-0.1", "correct=0.5", "forgiven=1", "correct", "correct=0.2,,", "fidelity=nan"})
    EXPECT_FALSE(RewardSpec::parse(text)) << text;
  EXPECT_NE(RewardSpec::parse("correct=0.5").error().text().find("sum to 1.3"), std::string::npos);
}

}  // namespace
}  // namespace kbx::stats
