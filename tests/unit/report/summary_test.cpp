// report: counts, tables and the JSON lines, from records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/json_lines.h"
#include "report/summary.h"
#include "report/terminal.h"
#include "report/text_table.h"

namespace kbx::report {
namespace {

Record record(const std::string& task, Verdict v, double seconds, bool in_suite = true) {
  Record r;
  r.candidate = task + ".py";
  r.task = task;
  r.category = "math";
  r.verdict = r.paper = v;
  r.in_suite = in_suite;
  r.call_ok = v > Verdict::compile_error;
  r.exe_ok = v == Verdict::correct;
  r.seconds = seconds;
  return r;
}

}  // namespace

TEST(Summaries, CountEveryVerdictOnceAndKeepStrangersApart) {
  Summary s;
  s.add(record("softmax", Verdict::correct, 1));
  s.add(record("softmax", Verdict::wrong_value, 3));
  s.add(record("gelu", Verdict::compile_error, 2));
  s.add(record("other", Verdict::not_judged, 9, false));
  EXPECT_EQ(s.candidates, 4);
  EXPECT_EQ(s.all.candidates, 3);
  EXPECT_EQ(s.not_in_suite, 1);
  EXPECT_EQ(s.all.call, 2);
  EXPECT_EQ(s.all.exe, 1);
  EXPECT_EQ(s.by_task.at("softmax").candidates, 2);
  EXPECT_EQ(s.seconds_quantile(0.5), 2);
  EXPECT_EQ(s.seconds_quantile(1), 3);
}

TEST(Summaries, PassAtKOverTasks) {
  Summary s;
  for (Verdict v : {Verdict::correct, Verdict::wrong_value}) s.add(record("a", v, 1));
  for (Verdict v : {Verdict::wrong_value, Verdict::wrong_value}) s.add(record("b", v, 1));
  EXPECT_DOUBLE_EQ(*s.pass_at(1), 0.25);  // mean of 1/2 and 0
  EXPECT_DOUBLE_EQ(*s.pass_at(2), 0.5);
  EXPECT_FALSE(s.pass_at(3));             // no task has three samples
}

TEST(JsonLines, NamesThatProgramsRely) {
  Json j = json_line(record("softmax", Verdict::correct, 1));
  for (const char* key : {"candidate", "task", "sample", "verdict", "stage", "verdicts", "findings", "device", "speedup", "interval", "flags", "seconds", "key"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_TRUE(j["speedup"].is_null());
  EXPECT_EQ(json_line(record("x", Verdict::not_judged, 0, false))["verdict"], "not_in_suite");
  Summary s;
  s.add(record("softmax", Verdict::correct, 1));
  EXPECT_EQ(json_summary(s, 2)["summary"]["verdicts"]["correct"], 1);
}

TEST(Resources, FormsOfOneKernelShareARow) {
  Record r = record("softmax", Verdict::correct, 1);
  for (auto [arch, registers] : {std::pair{90, 12}, {80, 20}, {90, 209}}) {
    Compiled c;
    c.kernel = "k";
    c.arch = arch;
    c.ok = true;
    c.registers = registers;
    r.compiled.push_back(c);
  }
  Compiled refused;
  refused.kernel = "k";
  refused.arch = 90;
  r.compiled.push_back(refused);
  std::string text = terminal_resources(r);
  EXPECT_THAT(text, testing::ContainsRegex("k +sm_90 +2 +12-209 "));
  EXPECT_THAT(text, testing::ContainsRegex("k +sm_80 +1 +20 "));
  EXPECT_THAT(text, testing::ContainsRegex("k +sm_90 +1 +refused"));
}

TEST(TextTables, AlignByWhatIsSeenNotByBytes) {
  TextTable t({{"a"}, {"n", TextTable::Align::right}});
  t.add({"ä", "1"});
  t.add({"bb", "22"});
  EXPECT_EQ(t.text(), "a    n\n──────\nä    1\nbb  22\n");
}

TEST(TerminalText, HostileExplanationsStayOnOneLine) {
  Record r = record("softmax", Verdict::wrong_value, 1);
  r.explanation = "first\nsecond\r\033[31mred";
  std::string line = terminal_line(r, false, 200);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line.find('\033'), std::string::npos);
}

}  // namespace kbx::report
