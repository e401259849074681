// A record's reward: what it takes from the record, and what it refuses to pay for.
#include "report/reward.h"

#include <gtest/gtest.h>

#include "store/record_json.h"

namespace kbx::report {
namespace {

CaseJudgement output(double error_share, OracleKind kind = OracleKind::close) {
  CaseJudgement c;
  c.case_name = "rows";
  c.phase = "standard";
  c.judgements.kbx.path = "result";
  c.judgements.kbx.kind = kind;
  c.judgements.kbx.metrics.count = 8;
  c.judgements.kbx.error_share = error_share;
  return c;
}

Record correct_record() {
  Record r;
  r.verdict = Verdict::correct;
  r.judgements = {output(0.1), output(0.7), output(0.4)};
  r.cost = CallCost{"rows", 800, 0, "f32"};
  Launch launch;
  launch.unique_load_bytes = 1000;
  launch.unique_store_bytes = 600;
  r.launches = {launch};
  return r;
}

SizeTiming timed(double us) {
  SizeTiming s;
  s.case_name = "large";
  s.candidate_us = us;
  s.reference_us = 2 * us;
  s.speedup = 2;
  s.low = 1.9;
  s.high = 2.1;
  s.floor_us = 3;
  s.bound_us = 10;
  return s;
}

Record timed_record(TimedBy by, double us) {
  Record r = correct_record();
  r.device = "cuda:0";
  r.timing = Timing{};
  r.timing->sizes = {timed(us)};
  r.timing->sizes[0].by = by;
  return r;
}

TEST(RecordReward, takes_the_worst_output_and_pays_no_time_without_a_gpu) {
  RecordReward r = reward_of(correct_record(), {});
  ASSERT_TRUE(r.reward);
  EXPECT_NEAR(*r.error_share, 0.7, 1e-15);
  EXPECT_NEAR(r.reward->score, 0.2 + 0.3 * (1 - 0.45 / 0.75), 1e-12);
  EXPECT_NEAR(r.reward->most, 0.5, 1e-12);
  EXPECT_FALSE(r.reward->efficiency);
  EXPECT_NEAR(*r.traffic, 0.5, 1e-12);
  EXPECT_NE(r.why.find("no GPU"), std::string::npos);
}

TEST(RecordReward, is_nothing_for_every_verdict_but_correct_and_unknown_where_nothing_was_decided) {
  for (size_t k = 0; k < kVerdictCount; k++) {
    Record r = timed_record(TimedBy::replay, 10);
    r.verdict = Verdict(k);
    RecordReward reward = reward_of(r, {});
    bool undecided = r.verdict == Verdict::harness_error || r.verdict == Verdict::not_judged;
    EXPECT_EQ(reward.reward.has_value(), !undecided) << to_text(r.verdict);
    if (reward.reward) {
      EXPECT_EQ(reward.reward->score > 0, r.verdict == Verdict::correct) << to_text(r.verdict);
    }
  }
  Record foreign = correct_record();
  foreign.in_suite = false;
  EXPECT_FALSE(reward_of(foreign, {}).reward);
}

TEST(RecordReward, pays_the_share_of_the_bound_at_the_lower_end) {
  RecordReward r = reward_of(timed_record(TimedBy::replay, 20), {});
  EXPECT_NEAR(*r.reward->efficiency, 0.5 * 1.9 / 2, 1e-12);
  EXPECT_EQ(r.why, "");
  Record slower = timed_record(TimedBy::replay, 21);
  EXPECT_LT(reward_of(slower, {}).reward->score, r.reward->score);
  // An empty kernel takes 3 us: nobody is asked for less.
  Record tiny = timed_record(TimedBy::replay, 3);
  tiny.timing->sizes[0].bound_us = 0.01;
  EXPECT_NEAR(*reward_of(tiny, {}).reward->efficiency, 0.95, 1e-12);
}

TEST(RecordReward, does_not_pay_for_a_time_that_the_candidate_could_bend) {
  Record r = timed_record(TimedBy::in_process, 20);
  EXPECT_FALSE(reward_of(r, {}).reward->efficiency);
  EXPECT_TRUE(reward_of(timed_record(TimedBy::mixed, 20), {}).reward->efficiency);
  stats::RewardSpec trusting;
  trusting.in_process = true;
  EXPECT_TRUE(reward_of(r, trusting).reward->efficiency);
}

TEST(RecordReward, does_not_pay_for_a_size_that_nobody_compared) {
  Record r = timed_record(TimedBy::replay, 20);
  auto paid = reward_of(r, {}).reward->efficiency;
  r.timing->sizes.push_back(r.timing->sizes[0]);
  r.timing->sizes[1].candidate_us = 10;
  r.timing->sizes[1].compared = false;
  EXPECT_EQ(reward_of(r, {}).reward->efficiency, paid);
  r.timing->sizes.erase(r.timing->sizes.begin());
  EXPECT_FALSE(reward_of(r, {}).reward->efficiency);
  EXPECT_NE(reward_of(r, {}).why.find("compared at no size"), std::string::npos);
}

TEST(RecordReward, does_not_pay_for_a_size_without_a_time_or_a_card_without_peaks) {
  Record r = timed_record(TimedBy::replay, 20);
  r.timing->sizes[0].bound_us = 0;
  EXPECT_FALSE(reward_of(r, {}).reward->efficiency);
  r.timing->sizes[0].iou_reached = 0.4;
  EXPECT_NEAR(*reward_of(r, {}).reward->efficiency, 0.4 * 0.95, 1e-12);
  r.timing->sizes.push_back(SizeTiming{});
  r.timing->sizes[1].problem = "too large";
  EXPECT_FALSE(reward_of(r, {}).reward->efficiency);
  EXPECT_NE(reward_of(r, {}).why.find("too large"), std::string::npos);
}

TEST(RecordReward, takes_an_unknown_error_of_an_older_record_as_the_worst) {
  Record r = correct_record();
  r.judgements[0].judgements.kbx.error_share.reset();
  EXPECT_NEAR(*reward_of(r, {}).reward->fidelity, 0, 1e-12);
  EXPECT_NE(reward_of(r, {}).why.find("older kbx"), std::string::npos);
  r.judgements = {output(0, OracleKind::factorization)};
  r.judgements[0].judgements.kbx.error_share.reset();
  EXPECT_NEAR(*reward_of(r, {}).reward->fidelity, 1, 1e-12);
}

TEST(RecordReward, survives_the_store) {
  Record r = timed_record(TimedBy::replay, 20);
  auto back = store::record_from_json(store::to_json(r));
  ASSERT_TRUE(back);
  EXPECT_EQ(reward_json(reward_of(*back, {})), reward_json(reward_of(r, {})));
}

TEST(RewardSummary, is_the_mean_over_what_was_decided) {
  RewardSummary s;
  Record refused = correct_record(), undecided = correct_record();
  refused.verdict = Verdict::wrong_value;
  undecided.verdict = Verdict::not_judged;
  for (const Record& r : {correct_record(), refused, undecided}) s.add(reward_of(r, {}));
  Json j = reward_summary_json(s, {});
  EXPECT_EQ(j["candidates"], 2);
  EXPECT_EQ(j["paid"], 1);
  EXPECT_NEAR(j["mean"].get<double>(), 0.16, 1e-12);
}

}  // namespace
}  // namespace kbx::report
