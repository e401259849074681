// What the judge is told of the result is told of the arguments that hold the result, too.
#include "eval/evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "eval/replay.h"
#include "eval/roots.h"

namespace kbx::eval {
namespace {

template <class T>
Value numbers(Dtype dtype, const std::vector<T>& v) {
  Bytes bytes(v.size() * sizeof(T));
  std::memcpy(bytes.data(), v.data(), bytes.size());
  return Value::of_tensor(make_tensor(dtype, {int64_t(v.size())}, std::move(bytes)));
}
Value doubles(const std::vector<double>& v) { return numbers(Dtype::f64, v); }

CaseTruth::Root root(const std::vector<double>& v) { return {doubles(v), doubles(v), std::nullopt, std::nullopt, std::nullopt}; }

struct Asked {
  Task task;
  CaseTruth truth;
  Asked() {
    task.oracle.magnitude = true;
    truth.magnitude = doubles({8, 9});
    truth.domain = doubles({1, 1});
    truth.survivors = doubles({3, 4});
    truth.roots["result"] = root({1, 2});
  }
  judge::Evidence of(const std::string& name) { return evidence_for(task, truth, name, truth.roots.at(name)); }
};

TEST(Evidence, AnOutIsJudgedByTheBoundsOfTheResultItHolds) {
  Asked q;
  q.truth.roots["out"] = root({1, 2});
  judge::Evidence e = q.of("out");
  EXPECT_EQ(e.magnitude, &*q.truth.magnitude);
  EXPECT_EQ(e.domain, &*q.truth.domain);
  EXPECT_EQ(e.survivors, &*q.truth.survivors);
}

TEST(Evidence, AnErrorWithinTheResultsBoundIsRightInTheOutToo) {
  Asked q;
  q.truth.magnitude = doubles({1e6, 1e6});
  q.truth.roots["out"] = root({1, 2});
  Value got = doubles({1 + 1e-9, 2});  // terms of 1e6 that cancel
  for (const char* name : {"result", "out"}) {
    judge::Evidence e = q.of(name);
    e.got = &got;
    EXPECT_EQ(judge::judge_result(e)[0].kbx.verdict, Verdict::correct) << name;
  }
}

TEST(Evidence, WhatAnotherArgumentHoldsIsNotDescribed) {
  Asked q;
  q.truth.roots["running_mean"] = root({1, 3});
  judge::Evidence e = q.of("running_mean");
  EXPECT_EQ(e.magnitude, nullptr);
  EXPECT_EQ(e.domain, nullptr);
}

TEST(Evidence, AMutatedArgumentMayHaveAMagnitudeOfItsOwn) {
  Asked q;
  q.truth.roots["y"] = root({1, 3});
  q.truth.roots["y"].magnitude = doubles({5, 6});
  EXPECT_EQ(q.of("y").magnitude, &*q.truth.roots["y"].magnitude);
  EXPECT_EQ(q.of("y").domain, nullptr);
  EXPECT_EQ(q.of("result").magnitude, &*q.truth.magnitude);
}

TEST(Evidence, AReplayIsJudgedByTheSameBoundsAsTheCall) {
  Asked q;
  q.truth.magnitude = doubles({1e6, 1e6});
  q.truth.roots["out"] = root({1, 2});
  sandbox::StepResult played;
  played.result.kind = ValueKind::tuple;
  played.result.items = {doubles({1 + 1e-9, 2})};
  played.mutated["out"] = doubles({1 + 1e-9, 2}).tensor;
  EXPECT_EQ(differs(q.task, q.truth, doubles({0, 0}), played), "");
  q.truth.magnitude.reset();
  EXPECT_NE(differs(q.task, q.truth, doubles({0, 0}), played), "");
}

TEST(Roots, AHelpersArgumentThatStayedAsItWasIsKnownAcrossFormats) {
  Value before = numbers<float>(Dtype::f32, {1.5F, NAN}), same = doubles({1.5, NAN}), other = doubles({1.5, 2});
  EXPECT_TRUE(same_numbers(before, same));
  EXPECT_FALSE(same_numbers(before, other));
  EXPECT_FALSE(same_numbers(before, doubles({1.5})));
}

}  // namespace
}  // namespace kbx::eval
