// One size on a clock that follows a script: times that cannot be, and references without a tape.
#include "eval/device_timing.h"

#include <gmock/gmock.h>

#include "../gpu/scripted_clock.h"

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

// Answers `time` and `time_one` by these python dicts in turn, everything else by ok.
std::string script(const std::string& times) {
  return "times = " + times + R"(
hello()
while True:
    command, blob = receive()
    send(times.pop(0) if command["do"] in ("time", "time_one") else {"ok": True})
)";
}

// A candidate and a reference that have tapes, and the clock that is asked about them.
struct OneSize {
  explicit OneSize(const std::string& script) : scripted(script), clock(gpu::ClockProcess::start(scripted.home(), 0)) {
    EXPECT_TRUE(clock.has_value());
    config.card.emplace();
    which.name = "large";
    size.which = &which;
    candidate.tape = &tape;
    candidate.host_seconds = 1e-4;
    reference.tape = Bytes(8);
    reference.host_seconds = 2e-4;
  }
  TimedSize run(double floor_us = 0) {
    auto result = time_size(**clock, Task(), config, size, candidate, reference, floor_us);
    EXPECT_TRUE(result.has_value()) << result.error().text();
    return std::move(*result);
  }

  gpu::testing::ScriptedClock scripted;
  Result<std::unique_ptr<gpu::ClockProcess>> clock;
  EvalConfig config;
  Case which;
  PerfCall size;
  Bytes tape = Bytes(8);
  SizeRecording candidate;
  ReferenceSize reference;
};

TimedSize timed(const std::string& times, double floor_us, bool reference_has_tape) {
  OneSize one(script(times));
  if (!reference_has_tape) one.reference.tape.clear(), one.reference.why_not = "cuSOLVER";
  return one.run(floor_us);
}

const char* kBoth = "[{'ok': True, 'candidate_us': 40.0, 'reference_us': 60.0, 'speedup': 1.5, 'low': 1.49, 'high': 1.51, 'groups': 12, 'problem': ''}]";

TEST(TimeSize, ATimeAboveThePhysicalFloorStands) {
  TimedSize s = timed(kBoth, 30, true);
  EXPECT_TRUE(s.timing.measured()) << s.timing.problem;
  EXPECT_DOUBLE_EQ(s.timing.speedup, 1.5);
  EXPECT_TRUE(s.charges.empty());
}

TEST(TimeSize, ATimeFasterThanPhysicsIsTheHarnesssFault) {
  TimedSize s = timed(kBoth, 41, true);
  EXPECT_THAT(s.timing.problem, HasSubstr("faster than physics: 40.00 us"));
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::harness_error);
  EXPECT_THAT(s.charges[0].explanation, HasSubstr("size large"));
}

TEST(TimeSize, WithoutAFloorNothingIsImpossible) { EXPECT_TRUE(timed(kBoth, 0, true).timing.measured()); }

TEST(TimeSize, AgainstAReferenceWithoutATapeTheCandidatesDeviceTimeCounts) {
  TimedSize s = timed("[{'ok': True, 'mean_us': 50.0, 'groups': 12}]", 30, false);
  EXPECT_EQ(s.timing.by, TimedBy::mixed);
  EXPECT_DOUBLE_EQ(s.timing.candidate_us, 50);
  EXPECT_DOUBLE_EQ(s.timing.speedup, 4);
  EXPECT_TRUE(s.timing.measured());
}

TEST(TimeSize, AMixedTimeBelowTheFloorIsMeasuredOnceMore) {
  TimedSize s = timed("[{'ok': True, 'mean_us': 20.0}, {'ok': True, 'mean_us': 50.0}]", 30, false);
  EXPECT_TRUE(s.timing.measured()) << s.timing.problem;
  EXPECT_DOUBLE_EQ(s.timing.candidate_us, 50);
  s = timed("[{'ok': True, 'mean_us': 20.0}, {'ok': True, 'mean_us': 21.0}]", 30, false);
  EXPECT_THAT(s.timing.problem, HasSubstr("faster than physics: 21.00 us"));
  EXPECT_EQ(s.charges.size(), 1u);
}

// Answers `verify` or `play` by a fault of one side, everything else by ok.
std::string faulty(const std::string& side) {
  return R"(
hello()
while True:
    command, blob = receive()
    if command["do"] in ("verify", "play"): send({"ok": False, "fault": "launch", "message": "an illegal access", "side": ")" + side + R"("})
    else: send({"ok": True})
)";
}

// Answers `verify` by what a tape of this length gives: the whole is right, and what is left without libraries is `shorter`.
TimedSize with_libraries(const std::string& shorter, bool reference_has_tape = true) {
  OneSize one(R"(
right = {"ok": True, "outputs": [{"name": "result", "count": 100, "mismatches": 0, "max_abs": 0.0, "rms_difference": 0.0, "rms_reference": 1.0, "nan": 0}]}
wrong = {"ok": True, "outputs": [dict(right["outputs"][0], mismatches=100, max_abs=3.0, rms_difference=3.0)]}
fault = {"ok": False, "fault": "device", "message": "error 700", "side": "candidate"}
hello()
while True:
    command, blob = receive()
    if command["do"] == "load" and command["side"] == "candidate": whole = len(blob) == 8
    if command["do"] == "verify": send(right if whole else )" + shorter + R"()
    elif command["do"] in ("time", "time_one"): send({"ok": True, "candidate_us": 40.0, "mean_us": 40.0, "reference_us": 60.0, "speedup": 1.5, "groups": 12})
    else: send({"ok": True})
)");
  one.candidate.own = Bytes(6);
  one.candidate.library = Charge{Verdict::delegated, "size large: kernels of libraries", false, 0};
  one.candidate.outputs.push_back({"result", Dtype::f32, {}, 0, {100}, {1}});
  if (!reference_has_tape) one.reference.tape.clear(), one.reference.why_not = "cuSOLVER";
  return one.run();
}

TEST(TimeSize, WhatASizeNeedsFromLibrariesIsDelegated) {
  EXPECT_TRUE(with_libraries("right").charges.empty());
  for (const char* shorter : {"wrong", "fault"}) {
    TimedSize s = with_libraries(shorter);
    ASSERT_EQ(s.charges.size(), 1u) << shorter;
    EXPECT_EQ(s.charges[0].verdict, Verdict::delegated);
    EXPECT_THAT(s.charges[0].explanation, HasSubstr("size large: kernels of libraries; without them: "));
  }
}

TEST(TimeSize, WithoutATapeOfEagersNothingTellsWhatLibrariesAreFor) {
  TimedSize s = with_libraries("right", false);
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].explanation, "size large: kernels of libraries");
}

TEST(TimeSize, AFaultSaysWhetherTheReferencesTapeMadeIt) {
  for (const char* side : {"reference", "candidate"}) {
    OneSize one(faulty(side));
    TimedSize s = one.run();
    EXPECT_EQ(s.timing.by, TimedBy::in_process);
    EXPECT_EQ(s.reference_fault, std::string(side) == "reference" ? "launch: an illegal access" : "");
    auto alone = reference_trouble(**one.clock, Task(), one.config, one.size, one.reference);
    ASSERT_TRUE(alone.has_value());
    EXPECT_EQ(*alone, "launch: an illegal access");
  }
}

// Answers `verify` by one element that differs from eager's by 2.
const char* kDiffering = R"(
off = [{"name": "result", "count": 100, "mismatches": 1, "max_abs": 2.0, "rms_difference": 0.2, "rms_reference": 1.0, "nan": 0}]
hello()
while True:
    command, blob = receive()
    if command["do"] == "verify": send({"ok": True, "outputs": off})
    elif command["do"] == "time_one": send({"ok": True, "mean_us": 50.0, "groups": 12})
    else: send({"ok": True})
)";

TimedSize appealed(const Appeal& appeal, bool reference_has_tape = true) {
  OneSize one(kDiffering);
  if (!reference_has_tape) one.reference.tape.clear(), one.reference.why_not = "cuSOLVER";
  one.candidate.outputs.push_back({"result", Dtype::f32, {}, 0, {100}, {1}});
  auto result = time_size(**one.clock, Task(), one.config, one.size, one.candidate, one.reference, 0, appeal);
  EXPECT_TRUE(result.has_value()) << result.error().text();
  return std::move(*result);
}
Heard right(gpu::ClockProcess&, int, const char*) { return {Heard::Said::right, ""}; }
Heard right_unlike_eager(gpu::ClockProcess&, int, const char* side) { return {std::string_view(side) == "candidate" ? Heard::Said::right : Heard::Said::wrong, ""}; }
Heard wrong(gpu::ClockProcess&, int, const char*) { return {Heard::Said::wrong, "result[3]: expected 1, got 3"}; }
Heard unplayable(gpu::ClockProcess&, int, const char*) { return {Heard::Said::unplayable, "device: error 700"}; }

TEST(TimeSize, WhatDiffersFromEagerIsWrongWhereNobodyElseCanBeAsked) {
  TimedSize s = appealed({});
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::wrong_value);
  EXPECT_EQ(s.timing.problem, "wrong values");
}

TEST(TimeSize, ACandidateThatIsRightShowsThatEagersTapeIsOff) {
  TimedSize s = appealed(right_unlike_eager);
  EXPECT_TRUE(s.charges.empty());
  EXPECT_THAT(s.reference_off, HasSubstr("1 of 100 elements differ from eager, at most by 2"));
}

// Who chooses to be as far from eager as the oracle allows does not choose the baseline by that.
TEST(TimeSize, WhereBothAreRightEagersTapeStays) {
  TimedSize s = appealed(right);
  EXPECT_TRUE(s.charges.empty());
  EXPECT_EQ(s.reference_off, "");
  EXPECT_EQ(s.timing.by, TimedBy::replay);
  EXPECT_THAT(s.timing.notes.front(), HasSubstr("right against float64, as eager is"));
}

TEST(TimeSize, WorkThatValuesCannotShowCountsAtNoSize) {
  OneSize one(script(kBoth));
  Task task;
  task.cost.least_flops = 0.25;
  auto s = time_size(**one.clock, task, one.config, one.size, one.candidate, one.reference);
  ASSERT_TRUE(s.has_value());
  EXPECT_TRUE(s->timing.measured());
  EXPECT_FALSE(s->timing.compared);
  // A time that cannot be is then no riddle for the harness: the work may not have been done.
  OneSize fast(script(kBoth));
  s = time_size(**fast.clock, task, fast.config, fast.size, fast.candidate, fast.reference, 41);
  EXPECT_THAT(s->timing.problem, HasSubstr("faster than physics"));
  EXPECT_TRUE(s->charges.empty());
}

TEST(TimeSize, AnAppealThatIsLostSaysBoth) {
  TimedSize s = appealed(wrong);
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_THAT(s.charges[0].explanation, HasSubstr("differ from eager, at most by 2; against float64: result[3]: expected 1, got 3"));
}

TEST(TimeSize, WithoutATapeOfEagersTheTruthDecides) {
  EXPECT_TRUE(appealed(right, false).timing.measured());
  TimedSize s = appealed(wrong, false);
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::wrong_value);
  EXPECT_FALSE(s.timing.measured());
  s = appealed({}, false);  // nobody can be asked: timed, and said
  EXPECT_TRUE(s.timing.measured());
  EXPECT_FALSE(s.timing.compared);
  EXPECT_THAT(s.timing.notes.front(), HasSubstr("values at this size were not compared"));
  s = appealed(unplayable, false);
  EXPECT_EQ(s.timing.by, TimedBy::in_process);
  EXPECT_TRUE(s.charges.empty());
}

// A candidate whose random output is held by a clock that says what `verify` finds, beside eager's outputs.
TimedSize random_output(const Appeal& appeal, const std::string& name = "result", const std::string& problem = "") {
  OneSize one(R"(
hello()
while True:
    command, blob = receive()
    if command["do"] == "load": send({"ok": True, "outputs": [{"name": "result"}]})
    elif command["do"] == "verify": send({"ok": True, "outputs": [{"name": "result", "count": 100, "mismatches": 100, "max_abs": 2.0, "rms_difference": 1.4, "rms_reference": 1.0, "nan": 0, "problem": ")" + problem + R"("}]})
    elif command["do"] == "time": send({"ok": True, "candidate_us": 40.0, "reference_us": 60.0, "speedup": 1.5, "low": 1.49, "high": 1.51, "groups": 12, "problem": ""})
    else: send({"ok": True})
)");
  Task task;
  task.oracle.kind = OracleKind::statistical;
  one.candidate.outputs.push_back({name, Dtype::f32, {}, 0, {100}, {1}});
  auto result = time_size(**one.clock, task, one.config, one.size, one.candidate, one.reference, 0, appeal);
  EXPECT_TRUE(result.has_value()) << result.error().text();
  return std::move(*result);
}

TEST(TimeSize, WhatCannotBeComparedWithEagerIsJudgedByTheTruth) {
  TimedSize s = random_output(right);
  EXPECT_TRUE(s.charges.empty());
  EXPECT_TRUE(s.timing.measured() && s.timing.compared);
  s = random_output(wrong);
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::wrong_value);
  EXPECT_FALSE(s.timing.measured());
}

TEST(TimeSize, WhatNobodyComparedCountsNowhere) {
  TimedSize s = random_output({});
  EXPECT_TRUE(s.charges.empty());
  EXPECT_TRUE(s.timing.measured());
  EXPECT_FALSE(s.timing.compared);
  EXPECT_THAT(s.timing.notes.back(), HasSubstr("values at this size were not compared: its outputs have many right values"));
}

TEST(TimeSize, AnOutputThatIsMissingOrOfAnotherFormIsCharged) {
  TimedSize s = random_output(right, "param");
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::wrong_structure);
  EXPECT_THAT(s.charges[0].explanation, HasSubstr("size large: result is missing, which eager returns"));
  s = random_output(right, "result", "f16 instead of f32");
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::wrong_structure);
  EXPECT_THAT(s.charges[0].explanation, HasSubstr("result: f16 instead of f32"));
  EXPECT_EQ(s.reference_off, "");
}

TEST(TimeSize, ATimeInItsOwnProcessIsAClaimWhereATapeCouldHaveBeenTaken) {
  OneSize one(script("[]"));
  one.candidate.tape = nullptr;
  one.candidate.why_not = "the call uses more than 128 MiB of memory from before";
  EXPECT_FALSE(one.run().timing.claimed);
  one.config.card->cupti = {"/opt/libcupti.so"};
  TimedSize s = one.run();
  EXPECT_TRUE(s.timing.claimed);
  EXPECT_TRUE(s.timing.measured());
}

}  // namespace
}  // namespace kbx::eval
