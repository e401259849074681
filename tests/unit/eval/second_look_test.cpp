// eval: which cases get a second look, and what its outcome is turned into. Warnings and notes only.
#include <gtest/gtest.h>

#include "eval/second_look.h"

namespace kbx::eval {
namespace {

struct Fixture {
  std::vector<Case> cases;
  Task task;
  TaskTruth truth;

  explicit Fixture(std::vector<std::string> phases) : cases(phases.size()) {
    for (size_t k = 0; k < phases.size(); k++) {
      cases[k].name = "case" + std::to_string(k);
      CaseTruth c;
      c.which = &cases[k];
      c.phase = phases[k];
      truth.cases.push_back(std::move(c));
    }
  }
  std::vector<size_t> chosen(std::vector<int64_t> programs) const { return second_look_cases(truth, programs); }
};

sandbox::StepResult returned() {
  sandbox::StepResult step;
  step.answered = step.ok = true;
  return step;
}
sandbox::StepResult raised(const std::string& kind, const std::string& message, int line = 0) {
  sandbox::StepResult step;
  step.answered = true;
  step.error = sandbox::WorkerError{kind, "ValueError", message, "", line};
  return step;
}
sandbox::StepResult found(Finding f) {
  sandbox::StepResult step = returned();
  step.findings.push_back(std::move(f));
  return step;
}

}  // namespace

TEST(SecondLookCases, FirstMostProgramsAndAnOutlier) {
  Fixture f({"standard", "repeat", "standard", "standard", "outlier", "outlier"});
  EXPECT_EQ(f.chosen({4, 4, 9, 30, 4, 9}), (std::vector<size_t>{0, 3, 4}));
  EXPECT_EQ(f.chosen({30, 4, 9, 30, 4, 9}), (std::vector<size_t>{0, 4}));      // the first has as many as any
  EXPECT_EQ(f.chosen({1, 1, 1, 1, 1, 80}), (std::vector<size_t>{0, 5}));       // an outlier case has most
  EXPECT_EQ(f.chosen({}), (std::vector<size_t>{0, 4}));                        // no launches known
}

TEST(SecondLookCases, CasesThatMustRaiseAreLeftOut) {
  Fixture f({"standard", "standard", "outlier"});
  f.cases[0].raises = "ValueError";
  EXPECT_EQ(f.chosen({9, 1, 1}), (std::vector<size_t>{1, 2}));
  f.cases[1].raises = f.cases[2].raises = "ValueError";
  EXPECT_TRUE(f.chosen({9, 1, 1}).empty());
}

TEST(SecondLook, NothingToSayWhenEveryCallReturnsRight) {
  Fixture f({"standard", "outlier"});
  sandbox::Outcome out;
  out.steps = {returned(), returned()};
  Sighting s = sight(f.task, f.truth, {0, 1}, out, {});
  EXPECT_TRUE(s.findings.empty());
  EXPECT_TRUE(s.whole);
  EXPECT_FALSE(s.differs);
}

TEST(SecondLook, WhatAGpuRefusesIsOneWarning) {
  Fixture f({"standard", "outlier"});
  sandbox::Outcome out;
  out.steps = {raised("strict_device", "cpu tensor?", 12), raised("strict_device", "cpu tensor?", 12)};
  Sighting s = sight(f.task, f.truth, {0, 1}, out, {});
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].rule, "strict_device");
  EXPECT_EQ(s.findings[0].severity, Severity::warn);
  EXPECT_EQ(s.findings[0].line, 12);
  EXPECT_NE(s.findings[0].message.find("cpu tensor?"), std::string::npos);
  EXPECT_FALSE(s.whole);
}

TEST(SecondLook, EveryOtherErrorIsANote) {
  Fixture f({"standard"});
  for (const char* kind : {"runtime_error", "not_judged", "timeout", "out_of_memory"}) {
    sandbox::Outcome out;
    out.steps = {raised(kind, "x")};
    Sighting s = sight(f.task, f.truth, {0}, out, {});
    ASSERT_EQ(s.findings.size(), 1u) << kind;
    EXPECT_EQ(s.findings[0].severity, Severity::note) << kind;
    EXPECT_FALSE(s.whole) << kind;
  }
  sandbox::Outcome dead;
  dead.fate = sandbox::Fate::timeout;
  dead.note = "call 0 did not finish";
  Sighting s = sight(f.task, f.truth, {0}, dead, {});
  EXPECT_EQ(s.findings.at(0).severity, Severity::note);
  EXPECT_FALSE(s.whole);
}

TEST(SecondLook, ImportUnderDeviceTensors) {
  Fixture f({"standard"});
  sandbox::Outcome out;
  out.load_error = sandbox::WorkerError{"strict_device", "TypeError", "can't convert", "", 3};
  Sighting s = sight(f.task, f.truth, {0}, out, {});
  EXPECT_EQ(s.findings.at(0).rule, "strict_device");
  EXPECT_FALSE(s.whole);
}

TEST(SecondLook, NewRacesAreWarningsAndKnownOnesAreNotRepeated) {
  Fixture f({"standard"});
  Finding race{Layer::ir, "data_race", Severity::reject, "x", 7, 0};
  sandbox::Outcome out;
  out.steps = {found(race)};
  Sighting s = sight(f.task, f.truth, {0}, out, {});
  EXPECT_EQ(s.findings.at(0).severity, Severity::warn);
  EXPECT_TRUE(sight(f.task, f.truth, {0}, out, {race}).findings.empty());
  race.severity = Severity::warn;  // what the first run would not have charged is not repeated
  out.steps = {found(race)};
  EXPECT_TRUE(sight(f.task, f.truth, {0}, out, {}).findings.empty());
}

TEST(SecondLook, WrongValuesAreAboutTheOrder) {
  Fixture f({"standard"});
  CaseTruth::Root root;
  root.eager = root.truth = Value::of_int(1);
  f.truth.cases[0].roots["result"] = root;
  sandbox::Outcome out;
  out.steps = {returned()};
  out.steps[0].result = Value::of_int(1);
  EXPECT_TRUE(sight(f.task, f.truth, {0}, out, {}).findings.empty());
  out.steps[0].result = Value::of_int(2);
  Sighting s = sight(f.task, f.truth, {0}, out, {});
  EXPECT_TRUE(s.differs && s.whole);
  EXPECT_EQ(s.findings.at(0).rule, "order_dependent");
  EXPECT_EQ(s.findings.at(0).severity, Severity::warn);
}

}  // namespace kbx::eval
