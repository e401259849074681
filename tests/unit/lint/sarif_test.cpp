// SARIF: what the specification requires of a log, and what readers of one rely on.
#include "lint/sarif.h"

#include <gtest/gtest.h>

#include "lint/lint.h"

namespace kbx::lint {
namespace {

Finding finding(std::string rule, Severity severity, int line, int column) {
  return Finding{Layer::lint, std::move(rule), severity, "a sentence", line, column};
}

TEST(Sarif, HasTheRequiredFrame) {
  Json log = to_sarif({}, "1.2.3");
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_NE(log["$schema"].get<std::string>().find("sarif-schema-2.1.0.json"), std::string::npos);
  ASSERT_EQ(log["runs"].size(), 1u);
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["name"], "kbx");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["semanticVersion"], "1.2.3");
  EXPECT_TRUE(log["runs"][0]["results"].is_array());  // an empty list means: looked, found nothing
}

TEST(Sarif, ResultsPointToTheirRuleAndPlace) {
  Json run = to_sarif({{"a.py",
                        {finding("exec_eval", Severity::reject, 3, 7), finding("clock_access", Severity::warn, 4, 1),
                         finding("exec_eval", Severity::note, 9, 2)}}},
                      "1")["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), 2u);
  ASSERT_EQ(run["results"].size(), 3u);
  for (const Json& r : run["results"]) {
    EXPECT_EQ(rules[r["ruleIndex"].get<size_t>()]["id"], r["ruleId"]);
    EXPECT_EQ(r["message"]["text"], "a sentence");
    EXPECT_EQ(r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a.py");
  }
  EXPECT_EQ(run["results"][0]["level"], "error");
  EXPECT_EQ(run["results"][1]["level"], "warning");
  EXPECT_EQ(run["results"][2]["level"], "note");
  EXPECT_EQ(run["results"][0]["locations"][0]["physicalLocation"]["region"],
            Json({{"startLine", 3}, {"startColumn", 7}}));
  EXPECT_FALSE(rules[0]["shortDescription"]["text"].get<std::string>().empty());
  EXPECT_EQ(rules[0]["defaultConfiguration"]["level"], "error");
}

TEST(Sarif, FindingsWithoutALineHaveNoRegion) {
  Json run = to_sarif({{"a.py", {finding("no_triton_kernel", Severity::reject, 0, 0)}}}, "1")["runs"][0];
  EXPECT_FALSE(run["results"][0]["locations"][0]["physicalLocation"].contains("region"));
}

TEST(Sarif, RulesOfOtherLayersAreDescribedByTheirId) {
  Json run = to_sarif({{"a.py", {finding("out_of_bounds", Severity::reject, 1, 1)}}}, "1")["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "out_of_bounds");
}

TEST(Sarif, PathsBecomeUriReferencesAndArtifactsAreUnique) {
  Json run = to_sarif({{"a b/ü%.py", {}}, {"/x/y.py", {}}, {"/x/y.py", {}}}, "1")["runs"][0];
  ASSERT_EQ(run["artifacts"].size(), 2u);
  EXPECT_EQ(run["artifacts"][0]["location"]["uri"], "a%20b/%C3%BC%25.py");
  EXPECT_EQ(run["artifacts"][1]["location"]["uri"], "file:///x/y.py");
}

TEST(Sarif, SurvivesTextThatIsNoUtf8) {
  LintInput input;
  input.source = "import subprocess\nsubprocess.r\xff\xfe()\n";
  std::string text = dump_json(to_sarif({{"bad.py", lint(input)}}, "1"));
  EXPECT_TRUE(parse_json(text).has_value());
}

}  // namespace
}  // namespace kbx::lint
