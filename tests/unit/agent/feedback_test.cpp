// Feedback: which words of a record a model sees, and what is guessed from the pattern of wrong values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/feedback_of.h"
#include "agent/guess.h"
#include "agent/outcome.h"
#include "suite/signature.h"

namespace kbx::agent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kCode = "import torch\nimport triton\n\n@triton.jit\ndef k(x, y, n):\n    v = tl.load(x)\n    tl.store(y, v)\n\ndef f(a, dim=0, scale=None):\n    return torch.empty_lik(a)\n";

Judgement judged(Verdict verdict, std::string why, Metrics metrics = {.count = 100, .mismatches = 50, .rel_rmse = 1}) {
  Judgement j;
  j.path = "result";
  j.verdict = verdict;
  j.explanation = std::move(why);
  j.metrics = metrics;
  return j;
}
void add(Record& r, std::string name, std::string phase, Judgement j) { r.judgements.push_back({std::move(name), std::move(phase), {j, j}}); }

Record wrong_record() {
  Record r;
  r.verdict = Verdict::wrong_value;
  r.call_ok = true;
  r.job_key = "key";
  add(r, "secret_rows", "standard", judged(Verdict::correct, ""));
  add(r, "secret_columns", "standard", judged(Verdict::wrong_value, "result[38, 4711]: expected 0.0489, got 0.1413; all in the last column"));
  add(r, "secret_columns", "outlier", judged(Verdict::wrong_value, "result[0]: expected 1, got 2"));
  r.explanation = "case secret_columns, result[38, 4711]: expected 0.0489, got 0.1413";
  r.findings.push_back({Layer::judge, "wrong_value", Severity::reject, r.explanation, 0, 0});
  r.findings.push_back({Layer::ir, "out_of_bounds", Severity::reject, "load 4711 elements past the end of x", 6, 0});
  return r;
}

TEST(FeedbackOf, AWrongValueIsCaseIndexExpectedGotAndAGuess) {
  Record r = wrong_record();
  Feedback f = feedback_of({r, nullptr, kCode});
  EXPECT_EQ(f.verdict, Verdict::wrong_value);
  EXPECT_TRUE(f.called);
  EXPECT_FALSE(f.executes);
  EXPECT_EQ(f.key, "key");
  EXPECT_THAT(f.error, HasSubstr("case secret_columns: result[38, 4711]: expected 0.0489, got 0.1413"));
  EXPECT_THAT(f.error, HasSubstr("wrong in 2 of 3 cases: secret_columns, secret_columns (outlier inputs)"));
  EXPECT_THAT(f.error, HasSubstr("out_of_bounds: load 4711 elements past the end of x (line 6: v = tl.load(x))"));
  EXPECT_THAT(f.guess, HasSubstr("missing mask or tail"));
}

TEST(FeedbackOf, HiddenCasesShowNoNameValueOrShape) {
  Record r = wrong_record();
  r.traceback = "  line 10, in f\nValueError: a has shape [38, 4711]";
  r.output = "secret 4711\n";
  EXPECT_EQ(feedback_of({r, nullptr, kCode}).output, "secret 4711");
  r.error_type = "ValueError";
  Timing t;
  t.sizes.push_back({.case_name = "secret_size", .candidate_us = 10, .speedup = 2, .bound_us = 4, .iou = 0.5});
  t.speedup = 2;
  r.timing = t;
  Feedback f = feedback_of({r, nullptr, kCode, false});
  std::string all = f.error + f.output + f.guess + f.resources + f.hardware;
  EXPECT_THAT(all, AllOf(Not(HasSubstr("secret")), Not(HasSubstr("4711")), Not(HasSubstr("0.0489")), Not(HasSubstr("0.1413")), Not(HasSubstr("38"))));
  EXPECT_THAT(f.error, HasSubstr("ValueError"));
  EXPECT_THAT(f.error, HasSubstr("line 6: v = tl.load(x)")) << "its own text may be shown";
  EXPECT_EQ(f.guess, "");
  EXPECT_EQ(f.speedup, 2);
  EXPECT_THAT(f.hardware, HasSubstr("40 % of the roofline"));
}

TEST(FeedbackOf, PublicCasesTellTheSpeedOfThoseThatCount) {
  Feedback counted, shown;
  counted.speedup = 2, counted.time_us = 10, counted.roofline = 0.97, counted.hardware = "97 % of the roofline";
  counted.executes = shown.executes = true;
  shown.hardware = "1 launch a call";
  for (auto* one : {&counted, &shown}) {
    Feedback told = shown;
    one->executes = false;
    told.executes = shown.executes;
    tell_speed(told, counted);
    EXPECT_FALSE(told.speedup || told.time_us || told.roofline) << "wrong on one of them";
    one->executes = true;
  }
  tell_speed(shown, counted);
  EXPECT_EQ(shown.speedup, 2);
  EXPECT_EQ(shown.time_us, 10);
  EXPECT_EQ(shown.roofline, 0.97) << "an optimise phase ends at stop_at of it";
  EXPECT_EQ(shown.hardware, "97 % of the roofline");
}

TEST(FeedbackOf, AnExceptionIsItsFrameLineAndMessage) {
  Record r;
  r.verdict = Verdict::runtime_error;
  r.explanation = "case rows: AttributeError: module 'torch' has no attribute 'empty_lik'";
  r.traceback = "  line 10, in f\n    return torch.empty_lik(a)\nAttributeError: module 'torch' has no attribute 'empty_lik'";
  r.error_type = "AttributeError";
  for (int k = 0; k < 30; k++) r.findings.push_back({Layer::judge, "runtime_error", Severity::reject, r.explanation, 10, 0});
  Feedback f = feedback_of({r, nullptr, kCode});
  EXPECT_EQ(f.error, r.traceback + "\nin case rows") << "said once, not once a case";
  EXPECT_THAT(feedback_of({r, nullptr, kCode, false}).error, HasSubstr("AttributeError\nline 10: return torch.empty_lik(a)"));
}

TEST(FeedbackOf, ACompilersMessageComesWithItsPlaceAndIsBounded) {
  Record r;
  r.verdict = Verdict::compile_error;
  r.explanation = "sm_90, case rows: CompilationError: at 4:8:\n    v = tl.load(x)\n        ^\nno mask";
  r.traceback = "  line 9, in f\n    k[(1,)](a)\nCompilationError: at 4:8:\n    v = tl.load(x)\n        ^\nno mask";
  Feedback f = feedback_of({r, nullptr, kCode});
  EXPECT_THAT(f.error, HasSubstr("at 4:8"));
  EXPECT_THAT(f.error, HasSubstr("no mask"));
  r.traceback = std::string(100000, 'x');
  EXPECT_LT(feedback_of({r, nullptr, kCode}).error.size(), 4000u);
}

TEST(FeedbackOf, OurFailureIsNotTheKernels) {
  Record r;
  r.explanation = "the fork server died at /some/path";
  EXPECT_EQ(feedback_of({r, nullptr, kCode}).error, "The kernel could not be evaluated; this says nothing about it.");
}

TEST(FeedbackOf, ResourcesAreOneLineAKernelAndArchitecture) {
  Record r;
  r.verdict = Verdict::correct;
  r.call_ok = r.exe_ok = true;
  r.compiled = {{.kernel = "k", .arch = 90, .ok = true, .registers = 20, .shared = 16}, {.kernel = "k", .arch = 90, .ok = true, .registers = 168, .spill_stores = 8, .spill_loads = 4},
                {.kernel = "k", .arch = 80, .ok = true, .registers = 32}, {.kernel = "k", .arch = 120, .ok = false}};
  Feedback f = feedback_of({r, nullptr, kCode});
  EXPECT_TRUE(f.executes);
  EXPECT_EQ(f.error, "");
  EXPECT_EQ(f.resources, "sm_80 k: 32 registers a thread, no spills, 0 B shared\nsm_90 k: 20-168 registers a thread, up to 12 B of spills, 16 B shared");
}

TEST(FeedbackOf, TimesBandwidthRooflineLaunchesAndTheHeaviestLine) {
  Record r;
  r.verdict = Verdict::correct;
  r.call_ok = r.exe_ok = true;
  Timing t;
  t.sizes = {{.case_name = "a", .candidate_us = 10, .speedup = 1.5, .unit = "f32", .bound_us = 5, .limit = "memory", .iou = 0.5, .mfu = 0.01},
             {.case_name = "b", .candidate_us = 40, .speedup = 2, .launch_bound = true, .bound_us = 5, .limit = "f16"}};
  t.speedup = 1.73;
  r.timing = t;
  Launch l;
  l.load_bytes = 300, l.store_bytes = 100;
  l.lines = {{.line = 6, .load_bytes = 300}, {.line = 7, .store_bytes = 100}};
  r.launches = {l, l};
  r.cost = CallCost{"a", 400, 0, "f32"};
  Feedback f = feedback_of({r, nullptr, kCode});
  EXPECT_NEAR(*f.time_us, 20, 1e-9);
  EXPECT_NEAR(*f.roofline, 0.25, 1e-9);
  EXPECT_THAT(f.hardware, HasSubstr("a: 10 us, 1.5x, 50 % of the memory bandwidth, 1 % of the f32 peak, bound by memory"));
  EXPECT_THAT(f.hardware, HasSubstr("launching decides"));
  EXPECT_THAT(f.hardware, HasSubstr("25 % of the roofline"));
  EXPECT_THAT(f.hardware, HasSubstr("2 launches a call, 2.00 times the bytes that must move"));
  EXPECT_THAT(f.hardware, HasSubstr("heaviest line 6: v = tl.load(x), 75 % of the bytes moved"));
}

TEST(FeedbackOf, ASizeWithoutATimeLeavesTheMeanOut) {
  Record r;
  r.verdict = Verdict::correct;
  r.timing = Timing{};
  r.timing->sizes = {{.case_name = "a", .candidate_us = 10}, {.case_name = "b", .problem = "too noisy"}};
  EXPECT_FALSE(feedback_of({r, nullptr, kCode}).time_us);
}

TEST(Feedback, GoesThroughJson) {
  Feedback f;
  f.verdict = Verdict::data_race;
  f.called = true;
  f.speedup = 1.25, f.time_us = 3.5, f.roofline = 0.5;
  f.error = "e", f.output = "o", f.guess = "g", f.resources = "r", f.hardware = "h", f.key = "k";
  Feedback g = feedback_from(feedback_json(f));
  EXPECT_EQ(feedback_json(g), feedback_json(f));
  EXPECT_EQ(g.verdict, Verdict::data_race);
  EXPECT_EQ(feedback_json(feedback_from(Json::object())), feedback_json(Feedback{}));
  EXPECT_EQ(feedback_mode_from_text("task_tests"), FeedbackMode::task_tests);
  EXPECT_EQ(feedback_mode_from_text("all"), std::nullopt);
}

TEST(Outcome, IsAFewPlainLines) {
  Feedback f;
  f.verdict = Verdict::wrong_value;
  f.called = true;
  f.error = "two\nlines";
  f.guess = "transposed";
  EXPECT_EQ(outcome_text(f, true),
            "- runs: yes\n- correct: no (wrong_value)\n- error:\ntwo\nlines\n- likely cause: transposed\n- note: The last reply was cut at the limit of its length. Write less around the code, and "
            "shorter code.");
}

// --- guesses

struct GuessTest : ::testing::Test {
  Task task;
  Record record;
  GuessTest() {
    task.entry = *suite::parse_signature("f(a: Tensor, dim: int = 0, scale: float | None = None) -> Tensor");
    record.verdict = Verdict::wrong_value;
  }
  void with(std::string name, bool right, TensorSpec tensor = {.shape = {4, 8}}, std::optional<int> dim = std::nullopt, bool scale = false) {
    Case c;
    c.name = name;
    c.args["a"].kind = ArgSpec::Kind::tensor;
    c.args["a"].tensor = tensor;
    if (dim) c.args["dim"].kind = ArgSpec::Kind::integer, c.args["dim"].integer = *dim;
    if (scale) c.args["scale"].kind = ArgSpec::Kind::floating, c.args["scale"].floating = 2;
    task.cases.push_back(c);
    add(record, name, "standard", right ? judged(Verdict::correct, "") : judged(Verdict::wrong_value, "result[0]: expected 1, got 3"));
  }
  std::string guess() { return guess_of(record, &task); }
};

TEST_F(GuessTest, AnAxis) {
  with("p", true, {.shape = {4, 8}}, 1);
  with("q", false, {.shape = {4, 8}}, 0);
  EXPECT_EQ(guess(), "wrong axis? wrong where `dim` is 0");
}
TEST_F(GuessTest, AnIgnoredKeyword) {
  with("p", true);
  with("q", false, {.shape = {4, 8}}, std::nullopt, true);
  with("r", true);
  EXPECT_EQ(guess(), "the argument `scale` is ignored or wrong where it is given");
}
TEST_F(GuessTest, StridesThatAreIgnored) {
  with("p", true);
  with("q", false, {.shape = {4, 8}, .layout = "transposed(0,1)"});
  EXPECT_THAT(guess(), HasSubstr("strides are ignored"));
}
TEST_F(GuessTest, EmptyTensors) {
  with("p", true);
  with("q", false, {.shape = {0, 8}});
  EXPECT_THAT(guess(), HasSubstr("empty tensors"));
}
TEST_F(GuessTest, HalfPrecision) {
  with("p", true);
  with("q", false, {.shape = {4, 8}, .dtype = Dtype::f16});
  EXPECT_THAT(guess(), HasSubstr("wrong for float16 only"));
  with("r", false, {.shape = {4, 8}, .dtype = Dtype::bf16});
  EXPECT_THAT(guess(), HasSubstr("half precision only"));
}
TEST_F(GuessTest, NothingWhenNothingTellsThemApart) {
  with("p", true);
  with("q", false);
  EXPECT_EQ(guess(), "");
}
TEST_F(GuessTest, OnlyVeryLargeInputs) {
  with("p", true);
  add(record, "p", "outlier", judged(Verdict::wrong_value, "result[0]: expected 1, got nan", {.count = 9, .mismatches = 1, .nan_got = 1}));
  EXPECT_THAT(guess(), AllOf(HasSubstr("only very large inputs"), HasSubstr("NaN where none belongs")));
}

TEST(Guess, PatternsWithinACase) {
  for (auto [why, want] : {std::pair{"got is the transpose", "transposed"}, {"got is 2 x expected", "a wrong scale"}, {"the sign is flipped", "sign"}, {"got is zero there", "left zero"},
                           {"all from flat index 4096 on", "too small a grid"}, {"all in the tile [0:16, 32:64]", "one tile"}}) {
    Record r;
    r.verdict = Verdict::wrong_value;
    add(r, "c", "standard", judged(Verdict::wrong_value, why));
    EXPECT_THAT(guess_of(r, nullptr), HasSubstr(want)) << why;
  }
  Record r;
  r.verdict = Verdict::wrong_value;
  add(r, "c", "standard", judged(Verdict::wrong_value, "x", {.count = 100, .mismatches = 90, .rel_rmse = 1e-4}));
  EXPECT_THAT(guess_of(r, nullptr), HasSubstr("precision"));
  r.judgements.clear();
  add(r, "c", "standard", judged(Verdict::unwritten_output, "x"));
  EXPECT_THAT(guess_of(r, nullptr), HasSubstr("never written"));
}

}  // namespace
}  // namespace kbx::agent
