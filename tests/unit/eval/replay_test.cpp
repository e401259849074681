// replay: which cases are played again, and what is said of a candidate that was not.
#include "eval/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kbx::eval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Cases {
  Task task;
  TaskTruth truth;

  Cases() {
    task.cases.resize(3);
    task.cases[1].raises = "RuntimeError";
    for (size_t k : {size_t(0), size_t(0), size_t(1), size_t(2), size_t(0), size_t(2)}) {
      CaseTruth c;
      c.which = &task.cases[k];
      truth.cases.push_back(c);
    }
    const char* phases[] = {"standard", "repeat", "standard", "standard", "outlier", "outlier"};
    for (size_t k = 0; k < truth.cases.size(); k++) truth.cases[k].phase = phases[k];
  }
};

TEST(Replay, PlaysEveryCaseThatReturnsOutliersToo) { EXPECT_THAT(replay_cases(Cases().truth), ElementsAre(0, 3, 4, 5)); }

TEST(Replay, OnACardThreeStandardCasesAtMost) { EXPECT_THAT(device_replay_cases(Cases().truth), ElementsAre(0, 3)); }

TEST(Replay, WhatIsNotPlayedIsNotJudgedWhereAReplayIsRequired) {
  EvalConfig config;
  EXPECT_THAT(unreplayed(config, {}, {"in_process: the result needs cumsum"}), IsEmpty());
  config.replay_required = true;
  EXPECT_THAT(unreplayed(config, {}, {"replayed"}), IsEmpty());
  EXPECT_THAT(unreplayed(config, {{Verdict::delegated, "", false, 0}}, {}), IsEmpty());  // it has its verdict
  auto charges = unreplayed(config, {}, {"tape: host read", "in_process: the result needs cumsum"});
  ASSERT_EQ(charges.size(), 1u);
  EXPECT_EQ(charges[0].verdict, Verdict::not_judged);
  EXPECT_THAT(charges[0].explanation, HasSubstr("the result needs cumsum"));
  EXPECT_EQ(unreplayed(config, {}, {}).size(), 1u);  // no word of a replay is no replay
}

}  // namespace
}  // namespace kbx::eval
