// report: analyses of small made-up runs, counted by hand.
#include "made_runs.h"
#include <fstream>

#include "report/analysis/against_file.h"
#include "report/analysis/against_paper.h"
#include "report/analysis/write.h"

namespace kbx::report {

TEST(Methods, RuleThenFactThenFileThenRun) {
  MethodRules rules = {{"a.jsonl:?", "first"}, {"run2/*", "second"}};
  Json fact = {{"method", "geak"}}, object = {{"method", {{"name", "claude"}}}}, none = Json::object();
  EXPECT_EQ(method_of(rules, "run1", fact, "a.jsonl:7").name, "first");
  EXPECT_EQ(method_of(rules, "run2", fact, "b.jsonl:17").name, "second");
  EXPECT_EQ(method_of(rules, "run1", fact, "a.jsonl:17").name, "geak");
  EXPECT_EQ(method_of({}, "run1", {{"generation", {{"method", "kernelagent"}}}}, "softmax/0/0/0").name, "kernelagent");
  EXPECT_EQ(method_of({}, "run1", object, "a.jsonl:17").name, "claude");
  EXPECT_EQ(method_of({}, "run1", none, "x/y/qwen.v2.jsonl:17").name, "qwen.v2");
  EXPECT_EQ(method_of({}, "run1", none, "gelu.py").name, "run1");
  EXPECT_TRUE(parse_method_rule("a=b=c"));
  EXPECT_EQ(parse_method_rule("a=b=c")->glob, "a=b");
  for (const char* bad : {"", "=", "a=", "=b", "ab"}) EXPECT_FALSE(parse_method_rule(bad)) << bad;
}

TEST(Globs, StarsAndMarks) {
  for (auto [glob, text] : {std::pair{"*", ""}, {"a*c", "abbbc"}, {"a*b*c", "axbxbxc"}, {"?", "x"}, {"**x", "x"}}) EXPECT_TRUE(glob_matches(glob, text)) << glob << " " << text;
  for (auto [glob, text] : {std::pair{"", "a"}, {"a*c", "abcd"}, {"?", ""}, {"a", "A"}}) EXPECT_FALSE(glob_matches(glob, text)) << glob << " " << text;
}

TEST(Places, OnlyIdsOfMethodRuns) {
  auto p = place_of("softmax/1/22/3", "softmax");
  ASSERT_TRUE(p);
  EXPECT_EQ(p->round, 1);
  EXPECT_EQ(p->slot, 22);
  EXPECT_EQ(p->step, 3);
  for (const char* id : {"softmax", "softmax/1/2", "softmax/1/2/3/4", "softmax/1/2/x", "softmax/-1/2/3", "softmax2/1/2/3", "a.jsonl:1"}) EXPECT_FALSE(place_of(id, "softmax")) << id;
}

TEST(Stages, EachHoldsThoseBefore) {
  Folder f;
  std::vector<Record> records;
  int64_t n = 0;
  for (Verdict v : {Verdict::correct, Verdict::wrong_value_outlier, Verdict::wrong_value, Verdict::compile_error, Verdict::not_judged, Verdict::harness_error, Verdict::delegated})
    records.push_back(record(n++, fmt::format("m.jsonl:{}", n), "math_task", v));
  records.push_back(record(n++, "m.jsonl:9", "math_task", Verdict::correct));
  records.back().category = "";  // a stranger to the suite
  write_run(f.path, records);
  Study s = study({f.path});
  EXPECT_EQ(s.not_in_suite, 1);
  EXPECT_EQ(s.harness_errors, 1);
  EXPECT_EQ(s.not_judged, 1);
  Study less = study({f.path}, {{"m.jsonl:1", "-"}});
  EXPECT_EQ(less.left_out, 1);
  EXPECT_EQ(less.trials.size(), s.trials.size() - 1);
  Section t = stages_by_category(s);
  EXPECT_EQ(cell(t, {{"category", "math"}}, "judged"), "5") << "neither ours nor undecided";
  EXPECT_EQ(cell(t, {{"category", "math"}}, "compile"), "80.0 % [37.6, 96.4]");
  EXPECT_EQ(cell(t, {{"category", "math"}}, "standard"), "60.0 % [23.1, 88.2]");
  EXPECT_EQ(cell(t, {{"category", "math"}}, "outlier"), "40.0 % [11.8, 76.9]");
  EXPECT_EQ(cell(t, {{"category", "math"}}, "correct"), "20.0 % [3.6, 62.4]");
}

TEST(Failures, ByOracleAndException) {
  Folder f;
  std::vector<Record> records = {record(0, "m.jsonl:1", "math_a", Verdict::wrong_value), record(1, "m.jsonl:2", "math_b", Verdict::runtime_error), record(2, "m.jsonl:3", "math_c", Verdict::correct)};
  CaseJudgement j{"odd", "standard", {}};
  j.judgements.kbx.verdict = Verdict::wrong_value;
  j.judgements.kbx.kind = OracleKind::factorization;
  j.judgements.kbx.metric = "orthogonality";
  records[0].judgements.push_back(j);
  records[1].error_type = "ValueError";
  write_run(f.path, records);
  Section t = failures_table(study({f.path}));
  EXPECT_EQ(cell(t, {{"class", "semantic"}, {"kind", "factorization: orthogonality"}}, "candidates"), "1");
  EXPECT_EQ(cell(t, {{"class", "run"}, {"kind", "ValueError"}}, "candidates"), "1");
  EXPECT_EQ(cell(t, {{"class", "run"}, {"verdict", "all"}}, "share"), "50.0 % [9.5, 90.5]");
}

TEST(RulesApart, WhatThePublishedRulesTakeByOurVerdict) {
  Folder f;
  std::vector<Record> records = {record(0, "m.jsonl:1", "math_a", Verdict::delegated), record(1, "m.jsonl:2", "math_b", Verdict::compile_error), record(2, "m.jsonl:3", "math_c", Verdict::wrong_value),
                                 record(3, "n.jsonl:1", "math_c", Verdict::correct), record(4, "n.jsonl:2", "math_c", Verdict::correct)};
  for (Record& r : records) r.paper = Verdict::correct;
  records[2].paper = records[4].paper = Verdict::wrong_value;
  records[1].error_type = "CompilationError";
  write_run(f.path, records);
  Section t = rules_apart_table(study({f.path}));
  EXPECT_EQ(cell(t, {{"method", "m"}, {"verdict", "all"}}, "candidates"), "2");
  EXPECT_EQ(cell(t, {{"method", "m"}, {"verdict", "delegated"}}, "share"), "50.0 % [9.5, 90.5]");
  EXPECT_EQ(cell(t, {{"method", "m"}, {"kind", "CompilationError"}}, "candidates"), "1");
  EXPECT_EQ(cell(t, {{"method", "all"}, {"verdict", "correct"}}, "candidates"), "1");
  EXPECT_NE(t.table.notes[1].find("refused by the published rules: 1."), std::string::npos);
}

TEST(AgainstFile, VerdictsAndSpeedupsOfTheSameCandidates) {
  Folder f;
  std::vector<Record> records = {record(0, "a.jsonl:1", "math_a", Verdict::delegated), record(1, "named", "math_b", Verdict::wrong_value), record(2, "a.jsonl:3", "math_c", Verdict::correct)};
  records[0].paper = records[1].paper = Verdict::correct;
  write_run(f.path, records);
  auto file = f.path / "a.jsonl";
  std::ofstream(file) << R"({"file": "math_a", "published": {"call_ok": true, "exe_ok": true, "speedup": 4.0}})" "\n" R"({"id": "named", "published": {"call_ok": true, "exe_ok": true, "speedup": 0.5}})" "\n"
                      << R"({"published": {"call_ok": true, "exe_ok": false, "speedup": null}})" "\n\n" R"({"id": "not judged", "published": {"call_ok": true}})" "\n";
  auto runs = Runs::open({f.path.string()});
  ASSERT_TRUE(runs);
  auto sections = against_file(*runs, file);
  ASSERT_TRUE(sections) << sections.error().message;
  EXPECT_EQ(cell((*sections)[0], {{"published", "correct"}}, "own"), "50.0 % [9.5, 90.5]");
  EXPECT_EQ(cell((*sections)[0], {{"published", "called"}}, "kbx").substr(0, 7), "100.0 %");
  EXPECT_EQ(cell((*sections)[1], {{"group", "all"}}, "arithmetic"), "2.25x");
  EXPECT_EQ(cell((*sections)[1], {{"group", "all"}}, "geometric").substr(0, 5), "1.41x");
  EXPECT_EQ(cell((*sections)[1], {{"group", "the kernel does the work"}}, "slower").substr(0, 7), "100.0 %");
  std::ofstream(f.path / "b.jsonl") << "{}\n";
  EXPECT_EQ(against_file(*runs, f.path / "b.jsonl").error().code, Code::usage) << "says nothing";
  std::ofstream(f.path / "b.jsonl") << R"({"published": {"call_ok": true}})" "\n";
  EXPECT_EQ(against_file(*runs, f.path / "b.jsonl").error().code, Code::usage) << "of other candidates";
}

TEST(TooLittleData, IsSaidAndNoNumber) {
  Folder f;
  write_run(f.path, {record(0, "m.jsonl:1", "math_a", Verdict::correct)});
  Study s = study({f.path});
  for (auto* make : {speed_table, fast_p_table, efficiency_table, across_gpus_table, winners_table, rounds_table, transitions_table, cost_table, equal_budget_table, quantization_table, deviance_table, unportable_table}) {
    Section section = make(s);
    EXPECT_FALSE(section.table.lacking.empty()) << section.table.id;
    EXPECT_TRUE(section.table.rows.empty()) << section.table.id;
    EXPECT_FALSE(section.chart) << section.table.id;
  }
  EXPECT_EQ(cell(pass_at_table(s), {}, "pass"), "fewer than three tasks");
}

TEST(Speed, NothingIsDropped) {
  Folder f;
  std::vector<Record> records;
  for (int n = 0; n < 4; n++) records.push_back(record(n, fmt::format("m.jsonl:{}", n), fmt::format("math_{}", n), n < 3 ? Verdict::correct : Verdict::wrong_value));
  time_it(records[0], "GPU A", 0.5);
  time_it(records[1], "GPU A", 2);
  time_it(records[2], "GPU A", 1);  // its interval holds 1
  records[3].device = "cuda:0";
  write_run(f.path, records);
  Study s = study({f.path});
  Section t = speed_table(s);
  EXPECT_EQ(cell(t, {{"group", "all"}}, "kernels"), "3");
  EXPECT_EQ(cell(t, {{"group", "all"}}, "speedup").substr(0, 5), "1.00x");
  EXPECT_EQ(cell(t, {{"group", "all"}}, "slower").substr(0, 6), "33.3 %");
  EXPECT_EQ(cell(t, {{"group", "all"}}, "surely_faster").substr(0, 6), "33.3 %");
  Section fast = fast_p_table(s);
  EXPECT_EQ(cell(fast, {{"method", "m"}}, "judged"), "4") << "the wrong one stays in the denominator";
  EXPECT_EQ(cell(fast, {{"method", "m"}}, "p1").substr(0, 6), "25.0 %");
  EXPECT_EQ(cell(fast, {{"method", "m"}}, "p0.8").substr(0, 6), "50.0 %");
}

// A generation run: two rounds; task a is rescued, b persists and becomes faster, c regresses, d stays wrong.
TEST(Rounds, RescuedPersistentRegressed) {
  Folder f;
  std::vector<Record> records;
  auto add = [&](const std::string& task, int round, Verdict v, double speedup) {
    records.push_back(record(int64_t(records.size()), fmt::format("{}/{}/0/0", task, round), task, v));
    if (speedup > 0) time_it(records.back(), "GPU A", speedup);
  };
  add("math_a", 0, Verdict::compile_error, 0);
  add("math_b", 0, Verdict::correct, 2);
  add("math_c", 0, Verdict::correct, 1);
  add("math_d", 0, Verdict::wrong_value, 0);
  add("math_a", 1, Verdict::correct, 1.5);
  add("math_b", 1, Verdict::correct, 3);
  add("math_c", 1, Verdict::wrong_value, 0);
  add("math_d", 1, Verdict::wrong_value, 0);
  write_run(f.path, records, {{"method", "geak"}});
  Study s = study({f.path});
  Section t = transitions_table(s);
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "rescued"), "1");
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "persistent"), "1");
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "regressed"), "1");
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "failing"), "1");
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "p"), "1.0000");
  EXPECT_EQ(cell(t, {{"method", "geak"}}, "gain"), "too few: 1");
  Section r = rounds_table(s);
  EXPECT_EQ(cell(r, {{"round", "1"}}, "correct_so_far").substr(0, 6), "75.0 %") << "what was right once stays reached";
  EXPECT_EQ(cell(r, {{"round", "0"}}, "call").substr(0, 6), "75.0 %");
  Section paper = against_paper_table(s, {r});
  EXPECT_EQ(cell(paper, {{"published", "52.3 %"}}, "kbx").substr(0, 6), "75.0 %");
  EXPECT_EQ(cell(paper, {{"published", "68.8 %"}}, "kbx").substr(0, 7), "100.0 %");
  EXPECT_EQ(cell(paper, {{"published", "52.3 %"}}, "comparable"), "the same question, other oracles");
  EXPECT_NE(cell(paper, {{"published", "9.4 %"}}, "comparable").find("not comparable because"), std::string::npos);
}

TEST(Architectures, WhatRunsOnOneAndNotOnAnother) {
  Folder f;
  Record r = record(0, "m.jsonl:1", "math_a", Verdict::correct);
  auto compiled = [](const std::string& kernel, int arch, bool ok, int shared) {
    Compiled c;
    c.kernel = kernel;
    c.arch = arch;
    c.ok = ok;
    c.registers = 64;
    c.shared = shared;
    c.num_warps = 4;
    c.error = ok ? "" : shared ? "line 3: out of resource: shared memory, required 120000, limit 101376" : "line 12: at 3:4:\nptxas: instruction needs sm_90";
    return c;
  };
  r.compiled = {compiled("wide", 89, false, 120000), compiled("wide", 90, true, 120000), compiled("new", 89, false, 0), compiled("new", 90, true, 0), compiled("old", 89, true, 0), compiled("old", 90, false, 0), compiled("plain", 89, true, 0), compiled("plain", 90, true, 0)};
  write_run(f.path, {r});
  Study s = study({f.path});
  Section t = unportable_table(s);
  ASSERT_EQ(t.table.rows.size(), 3u);
  EXPECT_EQ(cell(t, {{"kernel", "old"}}, "runs"), "sm_89");
  EXPECT_EQ(cell(t, {{"kernel", "old"}}, "fails"), "sm_90") << "both ways";
  EXPECT_EQ(cell(t, {{"kernel", "wide"}}, "line"), "3");
  EXPECT_EQ(cell(t, {{"kernel", "new"}}, "line"), "12");
  EXPECT_EQ(cell(t, {{"kernel", "wide"}}, "why"), "sm_89: 120000 bytes of shared memory a block, the device has 101376");
  EXPECT_EQ(cell(t, {{"kernel", "wide"}}, "runs"), "sm_90");
  EXPECT_EQ(cell(t, {{"kernel", "new"}}, "why"), "sm_89: the compiler refuses it: ptxas: instruction needs sm_90");
  EXPECT_EQ(cell(architectures_table(s), {{"arch", "sm_89"}}, "too_much_shared").substr(0, 6), "33.3 %");
}

TEST(Occupancy, AsTheOccupancyCalculatorHasIt) {
  Compiled c;
  c.num_warps = 8;
  c.registers = 32;
  EXPECT_DOUBLE_EQ(theoretical_occupancy(c, *limits_of(90)), 1);      // 8 blocks of 8 warps: 64 of 64
  c.registers = 128;                                                  // 4096 a warp: 16 warps
  EXPECT_DOUBLE_EQ(theoretical_occupancy(c, *limits_of(90)), 0.25);
  c.registers = 32;
  c.shared = 100 * 1024;                                              // 228 KiB hold two blocks with their reserve
  EXPECT_DOUBLE_EQ(theoretical_occupancy(c, *limits_of(90)), 0.25);
  EXPECT_DOUBLE_EQ(theoretical_occupancy(c, *limits_of(89)), 0);      // more than a block may have
  EXPECT_EQ(limits_of(75), nullptr);
}

TEST(Latex, HostileTextIsNoCommand) {
  EXPECT_EQ(latex_text("a_b & 50% #1 $x$ \\end{document} ^~"), "a\\_b \\& 50\\% \\#1 \\$x\\$ \\textbackslash{}end\\{document\\} \\textasciicircum{}\\textasciitilde{}");
  EXPECT_EQ(latex_text("\xff\xe2\x80\x93\xe6\xbc\xa2\n"), "?{}--?{} ");
  EXPECT_EQ(latex_text("[x]--"), "{[}x{]}-{}-{}");
}

TEST(Formats, OneTableInEach) {
  Table t{"id", "A title", {{"name", "name"}, {"share", "share"}}, {{word("=1+1|<b>"), between(Form::share, 0.25, 0.1, 0.5)}, {word("none"), missing("too few: 2")}}, {"A note."}, ""};
  Chart chart{Chart::Kind::bars, "id", "A <title>", "", "share", {"a & b"}, {{"one", {{0, 0.25, 0.1, 0.5}}}}, false, true};
  Sections sections = {{t, chart}};
  auto text = [&](auto write) {
    std::string out;
    write(sections, [&](std::string_view bytes) { out += bytes; });
    return out;
  };
  EXPECT_NE(text(write_sections_text).find("25.0 % [10.0, 50.0]"), std::string::npos);
  EXPECT_NE(text(write_sections_markdown).find("&#61;1+1&#124;&#60;b&#62;") != std::string::npos || text(write_sections_markdown).find("=1+1&#124;&#60;b&#62;") != std::string::npos, false);
  EXPECT_NE(text(write_sections_csv).find("id,1,'=1+1|<b>,share,\"25.0 % [10.0, 50.0]\",0.25,0.1,0.5\r\n"), std::string::npos) << text(write_sections_csv);
  auto json = parse_json(text(write_sections_json));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["tables"][0]["rows"][0]["share"]["low"], 0.1);
  EXPECT_EQ((*json)["tables"][0]["rows"][1]["share"]["why"], "too few: 2");
  EXPECT_NE(text(write_sections_latex).find("25.0 \\% {[}10.0, 50.0{]} \\\\"), std::string::npos);
  EXPECT_NE(chart_svg(chart).find("A &lt;title&gt;"), std::string::npos);
  EXPECT_NE(chart_svg(chart).find("a &amp; b"), std::string::npos);
  EXPECT_NE(chart_tikz(chart).find("a \\& b"), std::string::npos);
}

}  // namespace kbx::report
