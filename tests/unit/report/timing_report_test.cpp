// Times in reports: aggregates, tables, programs' forms. The times are made up so that ratios can be worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/efficiency.h"
#include "report/csv.h"
#include "report/json_lines.h"
#include "report/summary.h"
#include "report/terminal.h"
#include "report/timing_text.h"

namespace kbx::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Two sizes, the same ratio in both; half_width 0.1: low = ratio / 1.1.
Record timed(const std::string& task, double ratio, double half_width) {
  Record r;
  r.candidate = task + ".py";
  r.task = task;
  r.category = "math";
  r.verdict = r.paper = Verdict::correct;
  r.call_ok = r.exe_ok = r.paper_exe_ok = true;
  Timing t{"NVIDIA H200", "GPU-1", "580.1", {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  for (double us : {10.0, 100.0}) {
    SizeTiming s;
    s.case_name = us < 50 ? "small" : "large";
    s.candidate_us = us;
    s.reference_us = us * ratio;
    s.speedup = ratio;
    s.low = ratio / (1 + half_width);
    s.high = ratio * (1 + half_width);
    s.candidate_host_us = us + 10;
    s.reference_host_us = us + 10;
    s.bytes = 48e6 * us / 20;  // half of 4.8e12 bytes/s
    s.flops = 1e6;
    s.unit = "f32";
    t.sizes.push_back(s);
  }
  Peaks sheet = peaks_of(*find_gpu("H200"));
  complete(t, &sheet, nullptr);
  r.timing = std::move(t);
  return r;
}

Record untimed(const std::string& task, Verdict v) {
  Record r;
  r.task = task;
  r.candidate = task + ".py";
  r.verdict = v;
  r.exe_ok = v == Verdict::correct;
  return r;
}

Summary summary_of(const std::vector<Record>& records) {
  Summary s;
  for (const Record& r : records) s.add(r);
  return s;
}

TEST(TimingSummaries, AggregatesByHand) {
  Record broken = timed("c", 3, 0);
  broken.timing->sizes[1].problem = "the device was lost";
  update_means(*broken.timing);
  Summary s = summary_of({timed("a", 4, 0.01), timed("a", 1, 0.1), timed("b", 0.5, 0.01), broken, untimed("d", Verdict::correct), untimed("d", Verdict::wrong_value)});
  const TimingSummary& t = s.timing;
  EXPECT_EQ(t.judged, 6);
  EXPECT_EQ(t.correct, 5);
  EXPECT_EQ(t.rows.size(), 4u);
  EXPECT_EQ(t.timed(), 3);
  EXPECT_EQ(t.timed_tasks(), 2);
  EXPECT_NEAR(*t.geometric_mean(), 1, 1e-12);  // a: sqrt(4 * 1) = 2, b: 0.5
  EXPECT_EQ(t.faster_than(1), 1);              // exactly 1 is not faster
  EXPECT_EQ(t.faster_than(2), 1);
  EXPECT_EQ(t.slower(), 1);
  EXPECT_EQ(t.surely_faster(), 1);
  EXPECT_EQ(t.surely_slower(), 1);
  EXPECT_EQ(t.rows[3].problem, "large: the device was lost");
  Json j = timing_summary_json(t);
  EXPECT_DOUBLE_EQ(j["fast_p"]["1.5"].get<double>(), 1.0 / 6);
  EXPECT_EQ(j["timed"], 3);
}

TEST(TimingSummaries, AnIntervalAroundOneIsNeither) {
  Summary s = summary_of({timed("a", 1.02, 0.05), timed("b", 0.98, 0.05)});
  EXPECT_EQ(s.timing.faster_than(1), 1);
  EXPECT_EQ(s.timing.surely_faster() + s.timing.surely_slower(), 0);
}

TEST(TimingSummaries, ATimeOfWhatIsNotCorrectIsShownAndDoesNotCount) {
  Record r = timed("a", 9, 0);
  r.verdict = Verdict::harness_error;
  r.exe_ok = false;
  Summary s = summary_of({r});
  EXPECT_EQ(s.timing.timed(), 0);
  EXPECT_FALSE(s.timing.geometric_mean());
  EXPECT_THAT(timing_summary_text(s.timing), HasSubstr("9.000"));
}

TEST(TimingSummaries, ASizeThatNobodyComparedIsMarkedAndAClaimIsNoSpeedup) {
  Record r = timed("t", 2, 0.1);
  r.timing->sizes[1].speedup = 50;
  r.timing->sizes[1].compared = false;
  update_means(*r.timing);
  TimedRow row = timed_row(r);
  EXPECT_NEAR(row.speedup.value_or(0), 2, 1e-12);
  EXPECT_EQ(row.marks, "1 of 2 sizes not compared");
  EXPECT_THAT(timing_text(r), HasSubstr("not compared"));
  r.timing->sizes[1].compared = true;
  r.timing->sizes[1].claimed = true;
  update_means(*r.timing);
  row = timed_row(r);
  EXPECT_FALSE(row.counts());
  EXPECT_THAT(row.problem, HasSubstr("its own word"));
}

TEST(TimingText, TheRunsTable) {
  Record r = timed("softmax", 2, 0.1);
  r.timing->sizes[0].launch_bound = true;
  r.timing->sizes[1].by = TimedBy::mixed;
  r.flags = {"mixed", "nondeterministic bits"};
  std::string text = timing_summary_text(summary_of({r}).timing);
  EXPECT_THAT(text, HasSubstr("2.000  [1.870, 2.139]  1.000  50%"));  // 2 exp(-+ln(1.1)/sqrt 2)
  EXPECT_THAT(text, HasSubstr("mixed; 1 of 2 sizes launch-bound; nondeterministic bits"));
  EXPECT_THAT(text, HasSubstr("1 of 1 correct candidates timed, of 1 judged"));
  EXPECT_THAT(text, HasSubstr("fast_1.5 1 of 1 (100%)"));
  EXPECT_EQ(timing_summary_text(TimingSummary()), "");
}

TEST(TimingText, OneCandidatesSizes) {
  Record r = timed("softmax", 2, 0.1);
  r.timing->sizes[0].notes = {"repeated: throttled"};
  r.timing->sizes[1].problem = "no tape\x1b[31m";
  update_means(*r.timing);
  std::string text = timing_text(r);
  EXPECT_THAT(text, HasSubstr("small    10.0 us  20.0 us    2.000  [1.818, 2.200]  20.0 us"));
  EXPECT_THAT(text, HasSubstr("5.00 us (memory)"));
  EXPECT_THAT(text, HasSubstr("small: repeated: throttled"));
  EXPECT_THAT(text, HasSubstr("large: no time: no tape?[31m"));
  EXPECT_THAT(text, HasSubstr("4.80 TB/s (datasheet: NVIDIA H200"));
  EXPECT_THAT(terminal_candidate(r, "", {}), HasSubstr(text));
  EXPECT_EQ(timing_text(Record()), "");
}

TEST(TimingText, Numbers) {
  EXPECT_EQ(ratio_text(1.0), "1.000");
  EXPECT_EQ(ratio_text(9.9996), "10.0");
  EXPECT_EQ(ratio_text(123.4), "123");
  EXPECT_EQ(ratio_text({}), "-");
  EXPECT_EQ(interval_text(0.5, {}), "-");
  EXPECT_EQ(percent_text(0.8347), "83%");
  EXPECT_EQ(percent_text(0.0482), "4.8%");
  EXPECT_EQ(percent_text(1.37), "137%");  // never clamped
}

TEST(TimingText, CalibrationAndAa) {
  Calibration c{"NVIDIA H200", "GPU-1", "580.1", "2030-01-02", 4.2e12, 0, {}, {{"copy", "1 GiB, best of 20"}}};
  c.matmul[size_t(Unit::f16)] = 494.7e12;
  Peaks sheet = peaks_of(*find_gpu("H200"));
  std::string text = calibration_text(c, &sheet);
  EXPECT_THAT(text, HasSubstr("memory, copy     4.20 TB/s   4.80 TB/s    88%  1 GiB, best of 20"));
  EXPECT_THAT(text, HasSubstr("not measured"));
  EXPECT_THAT(text, HasSubstr("494.7 T/s   989.4 T/s    50%"));
  EXPECT_THAT(calibration_text(c, nullptr), Not(HasSubstr("88%")));
  std::string aa = aa_text({{"gelu", 4.01, 80, 79, 0.0033, 0.012}, {"matmul", 28.2, 50, 48, 0.0023, 0.0044}});
  EXPECT_THAT(aa, HasSubstr("4.01 us           80    79 of 80 (99%)            0.33%       1.20%"));
  EXPECT_THAT(aa, HasSubstr("127 of 130 (98%)"));
}

TEST(AaText, KeepsKnownDifferencesOutOfTheCoverageAndTellsWhatFailed) {
  AaResult alike{"gelu", 4.01, 20, 19, 0.0033, 0.012}, more{"gelu, 2 % more", 33, 10, 0, 0.004, 0.009};
  more.more_work = 0.02;
  more.found = 9;
  more.mean_ratio = 0.985;
  AaResult broken{"matmul"};
  broken.failed = 3;
  broken.problem = "time: timeout: it hangs";
  std::string text = aa_text({alike, more, broken});
  EXPECT_THAT(text, HasSubstr("19 of 20 (95%)"));
  EXPECT_THAT(text, HasSubstr("9 of 10 (90%)"));
  EXPECT_THAT(text, HasSubstr("0.985"));
  EXPECT_THAT(text, Not(HasSubstr("19 of 30")));
  EXPECT_THAT(text, HasSubstr("matmul: 3 without an interval: time: timeout: it hangs"));
}

TEST(JsonLines, CarryTheTiming) {
  Json j = json_line(timed("softmax", 2, 0.1));
  EXPECT_DOUBLE_EQ(j["speedup"].get<double>(), 2);
  ASSERT_EQ(j["interval"].size(), 2u);
  EXPECT_LT(j["interval"][0].get<double>(), j["interval"][1].get<double>());
  EXPECT_EQ(j["timing"]["sizes"][1]["case"], "large");
  Json schema = json_lines_schema()["oneOf"][0];
  for (const auto& [key, v] : j.items()) EXPECT_TRUE(schema["properties"].contains(key)) << key;
  for (const Json& key : schema["properties"]["timing"]["required"]) EXPECT_TRUE(j["timing"].contains(key.get<std::string>())) << key;
  for (const auto& [key, v] : schema["properties"]["timing"]["properties"]["sizes"]["items"]["properties"].items()) EXPECT_TRUE(j["timing"]["sizes"][0].contains(key)) << key;
  Json none = json_line(untimed("softmax", Verdict::correct));
  EXPECT_TRUE(none["speedup"].is_null() && none["interval"].is_null() && none["timing"].is_null());
  EXPECT_TRUE(json_summary(Summary(), 1)["summary"]["timing"].is_null());
}

}  // namespace
}  // namespace kbx::report
