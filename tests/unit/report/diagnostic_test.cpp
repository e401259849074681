// Findings as a compiler shows them: place, caret, notes, help; nothing told twice.
#include "report/diagnostic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lint/lint.h"
#include "lint/rule.h"
#include "report/help.h"

namespace kbx::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Record with(std::vector<Finding> findings) {
  Record r;
  r.verdict = Verdict::illegal_memory_access;
  r.findings = std::move(findings);
  return r;
}
const std::vector<std::string> kCode = {"import torch", "    x = tl.load(p)", "\ty = 1"};
const DiagnosticStyle kPlain{"a.py", false};

TEST(DiagnosticText, HasPlaceSourceCaretNotesAndHelp) {
  Finding f{Layer::ir, "out_of_bounds", Severity::reject, "load out of bounds in k, argument `p` (4004 bytes), first 4 bytes past the end, 23 elements, program (3, 0, 0), tt.load", 2, 9};
  auto list = diagnose(with({f}));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(diagnostic_text(list[0], kCode, kPlain),
            "a.py:2:9: error: load out of bounds in k [out_of_bounds]\n"
            "     2 |     x = tl.load(p)\n"
            "       |         ^\n"
            "       = argument: `p` (4004 bytes), first 4 bytes past the end, 23 elements, tt.load\n"
            "       = program: (3, 0, 0)\n"
            "       = help: mask the load: tl.load(ptr + offsets, mask=offsets < n, other=0.0)\n");
}

TEST(DiagnosticText, WithoutAColumnTheCaretStandsAtTheFirstCharacter) {
  Diagnostic d;
  d.title = "t";
  d.rule = "r";
  d.line = 2;
  EXPECT_THAT(diagnostic_text(d, kCode, kPlain), HasSubstr("a.py:2:5: note: t [r]\n     2 |     x = tl.load(p)\n       |     ^\n"));
  d.line = 3;  // a tab counts as one character
  EXPECT_THAT(diagnostic_text(d, kCode, kPlain), HasSubstr("a.py:3:2: "));
  d.column = 900;
  EXPECT_THAT(diagnostic_text(d, kCode, kPlain), HasSubstr("a.py:3:2: ")) << "a column outside the line";
}

TEST(DiagnosticText, ALineThatTheCodeLacksShowsNoSource) {
  Diagnostic d;
  d.title = "t";
  d.rule = "r";
  d.line = 99;
  EXPECT_EQ(diagnostic_text(d, kCode, kPlain), "a.py:99: note: t [r]\n");
  d.line = 0;
  EXPECT_EQ(diagnostic_text(d, kCode, kPlain), "a.py: note: t [r]\n");
}

TEST(DiagnosticText, ColourOnlyWhenAskedAndNothingSteersTheTerminal) {
  Diagnostic d;
  d.title = "evil \033[2J";
  d.rule = "r";
  d.line = 1;
  d.notes = {{"got", "\033]0;x\007"}};
  EXPECT_THAT(diagnostic_text(d, {"\033[31m = 1"}, kPlain), Not(HasSubstr("\033")));
  EXPECT_THAT(diagnostic_text(d, kCode, {"a.py", true}), HasSubstr("\033[1;36mnote:"));
  EXPECT_THAT(diagnostic_text(d, kCode, {"a.py", true}), Not(HasSubstr("\033[2J")));
}

TEST(Diagnose, TheCompilersWordsAreTheTitleAndItsCaretTheColumn) {
  Finding f{Layer::compile, "compiler_refused", Severity::reject, "at 4:24:\ndef k(x):\n    x = tl.arange(0, 100)\n            ^\narange's range must be a power of 2", 2, 0};
  Finding charge{Layer::judge, "compile_error", Severity::reject, "sm_90, case rows: CompilationError: at 4:24: ...", 2, 0};
  auto list = diagnose(with({f, charge}));
  ASSERT_EQ(list.size(), 1u) << "the charge says the same";
  EXPECT_EQ(list[0].title, "arange's range must be a power of 2");
  EXPECT_EQ(list[0].column, 13);
  EXPECT_THAT(list[0].help, HasSubstr("next_power_of_2"));
}

TEST(Diagnose, ErrorsStandFirstAndTheSamePlaceIsToldOnce) {
  Finding note{Layer::lint, "stream_escape", Severity::note, "s", 1, 1}, race{Layer::ir, "data_race", Severity::reject, "two programs store different values to one element in k, program (0, 0, 0)", 2, 0};
  Finding again = race, charge{Layer::judge, "data_race", Severity::reject, "case a: " + race.message, 2, 0};
  again.message = "two programs store different values to one element in k, program (7, 0, 0)";
  auto list = diagnose(with({note, race, again, charge}));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].rule, "data_race");
  EXPECT_EQ(list[0].more, 1);
  EXPECT_EQ(diagnostic_count(list), "1 error");
}

TEST(Diagnose, AWrongValueShowsItsFirstCaseWithNumbers) {
  Record r;
  r.verdict = Verdict::wrong_value;
  for (const char* name : {"rows", "columns"}) {
    CaseJudgement c;
    c.case_name = name;
    c.phase = "standard";
    Judgement& j = c.judgements.kbx;
    j.path = "result";
    j.verdict = Verdict::wrong_value;
    j.metric = "abs";
    j.index = {3, 1022};
    j.got = 2;
    j.expected = 1;
    j.bound = 0.25;
    j.explanation = "result[3, 1022]: expected 1, got 2; got is 2 x expected";
    r.judgements.push_back(c);
    r.findings.push_back({Layer::judge, "wrong_value", Severity::reject, std::string("case ") + name + ", " + j.explanation, 0, 0});
  }
  auto list = diagnose(r);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].more, 1);
  std::string text = diagnostic_text(list[0], kCode, kPlain);
  EXPECT_THAT(text, HasSubstr("a.py: error: result[3, 1022]: the values are wrong on standard inputs [wrong_value]\n"));
  EXPECT_THAT(text, HasSubstr("= case: rows\n       = got: 2\n       = expected: 1, give or take 0.25\n"));
  EXPECT_THAT(text, HasSubstr("help: a constant factor is off"));
}

TEST(Diagnose, TheVerdictIsToldFirstAndNanThatNobodyWroteIsNoDivision) {
  Record r;
  r.verdict = Verdict::unwritten_output;
  r.findings.push_back({Layer::ir, "unwritten_output", Severity::warn, "kernel k wrote 3 of 4 elements of result 0", 2, 0});
  for (Verdict v : {Verdict::wrong_value, Verdict::unwritten_output}) {
    CaseJudgement c;
    c.case_name = "rows";
    c.phase = "standard";
    c.judgements.kbx.path = "result";
    c.judgements.kbx.verdict = v;
    c.judgements.kbx.metric = v == Verdict::wrong_value ? "nan" : "unwritten";
    c.judgements.kbx.explanation = "result[0]: expected 1, got nan; NaN where a number is expected";
    r.judgements.push_back(c);
  }
  auto list = diagnose(r);
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[2].severity, Severity::warn);
  EXPECT_EQ(list[0].rule, "unwritten_output");
  EXPECT_EQ(list[1].rule, "wrong_value");
  EXPECT_THAT(list[1].help, HasSubstr("never stored"));
  r.findings.clear();
  EXPECT_THAT(diagnose(r)[1].help, HasSubstr("0/0"));
}

TEST(Help, EveryLintRuleAndEveryFailureHasARow) {
  for (const lint::Rule* rule : lint::all_rules()) EXPECT_FALSE(help_for(rule->id, "").empty()) << rule->id;
  for (size_t k = 0; k < kVerdictCount; k++) {
    auto v = Verdict(k);
    if (!is_failure(v) || v == Verdict::constraint_violation || v == Verdict::data_race) continue;
    EXPECT_FALSE(help_for(to_text(v), "").empty()) << to_text(v);
  }
  for (const char* rule : {"out_of_bounds", "misaligned", "undefined_read", "double_store", "data_race", "device_assert", "unaligned_claim", "time_limit", "order_dependent", "grid_limit",
                           "shared_memory", "compiler_refused", "library_ops", "strict_device"})
    EXPECT_FALSE(help_for(rule, "").empty()) << rule;
  EXPECT_TRUE(help_for("no_such_rule", "").empty());
}

TEST(Help, TheMessageNarrowsIt) {
  EXPECT_THAT(std::string(help_for("out_of_bounds", "Store out of bounds in k")), HasSubstr("tl.store"));
  EXPECT_NE(help_for("compiler_refused", "NameError: x is not defined"), help_for("compiler_refused", "something else"));
}

}  // namespace
}  // namespace kbx::report
