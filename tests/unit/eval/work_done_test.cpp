// Work that values cannot show: the launches' operations against a share of the formula.
#include "eval/work_done.h"

#include <gtest/gtest.h>

namespace kbx::eval {
namespace {

// f(x) in two cases of 10 and 100 floats, 7 flops an element; a quarter of them must be seen.
struct Work : testing::Test {
  Work() {
    task.entry.name = "f";
    task.entry.parameters = {{"x", "Tensor", std::nullopt, Parameter::Kind::positional}};
    task.cost = {"2 * nbytes(x)", "7 * numel(x)", "f32", "", 0.25};
    small.name = "small";
    large.name = "large";
    add(small, 10);
    add(large, 100);
  }
  void add(const Case& which, int64_t n) {
    CaseTruth c;
    c.which = &which;
    c.phase = "standard";
    c.call.args = {Value::of_tensor(make_tensor(Dtype::f32, {n}, Bytes(size_t(n) * 4)))};
    c.names = {"x"};
    truth.cases.push_back(std::move(c));
    sandbox::StepResult step;
    step.answered = step.ok = true;
    Launch l;
    l.instructions = 50;
    step.launches = {l};
    out.steps.push_back(std::move(step));
  }
  Launch& launch(size_t step) { return out.steps[step].launches[0]; }
  std::optional<Charge> charge() const { return work_charge(task, truth, out); }

  Task task;
  Case small, large;
  TaskTruth truth;
  sandbox::Outcome out;
};

TEST_F(Work, TheLargestCaseDecides) {
  launch(0).flops = 1000;
  launch(1).flops = 174;
  auto c = charge();
  ASSERT_TRUE(c);
  EXPECT_EQ(c->verdict, Verdict::contract_violation);
  EXPECT_EQ(c->explanation, "case large: the work was not done: the launches executed 174 floating point operations, the task needs about 700 and at least 175 of them");
  launch(1).flops = 175;
  EXPECT_FALSE(charge());
  launch(0).flops = 0;
  EXPECT_FALSE(charge());
}

TEST_F(Work, LaunchesOfACallAddUp) {
  launch(1).flops = 100;
  out.steps[1].launches.push_back(launch(1));
  EXPECT_FALSE(charge());
}

TEST_F(Work, ATaskThatDoesNotAskIsLeftAlone) {
  task.cost.least_flops = 0;
  EXPECT_FALSE(charge());
}

TEST_F(Work, LaunchesThatWereNotCountedSayNothing) {
  launch(1).instructions = 0;  // they ran on a card
  EXPECT_FALSE(charge());
  out.steps[1].launches.clear();  // delegated, which is told elsewhere
  EXPECT_FALSE(charge());
}

// Who fails on the machine on purpose is counted nowhere, and a card does not count.
TEST_F(Work, WhatWasCountedNowhereIsNotJudgedOnACard) {
  EXPECT_FALSE(uncounted_charge(task, truth, out));
  out.steps[1].ok = false;
  EXPECT_FALSE(uncounted_charge(task, truth, out));
  out.steps[0].ok = false;
  auto c = uncounted_charge(task, truth, out);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->verdict, Verdict::not_judged);
  task.cost.least_flops = 0;
  EXPECT_FALSE(uncounted_charge(task, truth, out));
}

TEST_F(Work, ACaseThatDidNotReturnOrIsNoStandardOneDoesNotDecide) {
  launch(0).flops = 70;
  out.steps[1].ok = false;
  EXPECT_FALSE(charge());
  out.steps[1].ok = true;
  truth.cases[1].phase = "outlier";
  EXPECT_FALSE(charge());
  launch(0).flops = 17;
  EXPECT_TRUE(charge());
}

TEST_F(Work, SecondCallsOfACaseArePassedOver) {
  small.calls = 2;
  out.steps.insert(out.steps.begin() + 1, out.steps[0]);
  launch(1).flops = 0;
  launch(2).flops = 175;
  EXPECT_FALSE(charge());
  launch(2).flops = 174;
  EXPECT_TRUE(charge());
}

}  // namespace
}  // namespace kbx::eval
