// The report forms: what is escaped, what is counted, what the published pipeline's files hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "model/efficiency.h"
#include "report/csv.h"
#include "report/json_document.h"
#include "report/markdown.h"
#include "report/page.h"
#include "report/sarif.h"
#include "report/upstream.h"

namespace kbx::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

Record record(int64_t n, const std::string& task, Verdict kbx, Verdict paper) {
  Record r;
  r.job_key = "key" + std::to_string(n);
  r.ordinal = n;
  r.candidate = "a.jsonl:" + std::to_string(n + 1);
  r.task = task;
  r.category = "linear_algebra";
  r.verdict = kbx;
  r.paper = paper;
  r.call_ok = r.paper_call_ok = true;
  r.exe_ok = kbx == Verdict::correct;
  r.paper_exe_ok = paper == Verdict::correct;
  r.explanation = r.exe_ok ? "" : "=HYPERLINK(\"x\"), <b>@someone</b> | it's wrong\r\nsecond line";
  return r;
}

// Two sizes, twice as fast as eager, each within 10 %.
Timing timing() {
  Timing t;
  t.gpu = "NVIDIA X";
  t.board = "GPU-1";
  for (double us : {10.0, 100.0}) {
    SizeTiming s;
    s.case_name = us < 50 ? "small" : "large";
    s.launch_bound = us < 50;
    s.candidate_us = us;
    s.reference_us = 2 * us;
    s.speedup = 2;
    s.low = 2 / 1.1;
    s.high = 2 * 1.1;
    t.sizes.push_back(s);
  }
  complete(t, nullptr, nullptr);
  return t;
}

// Three candidates, two of one task, and one of a task outside the suite.
class Forms : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("forms_" + std::to_string(::getpid())) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    auto store = store::Store::open(folder_);
    ASSERT_TRUE(store) << store.error().text();
    ASSERT_TRUE(store->put_fact("versions", {{"kbx", "0.1.0"}}));
    std::vector<Record> records = {record(0, "lu", Verdict::correct, Verdict::wrong_value),
                                   record(1, "lu", Verdict::wrong_value, Verdict::correct),
                                   record(2, "qr", Verdict::correct, Verdict::correct),
                                   record(3, "strange", Verdict::not_judged, Verdict::not_judged)};
    records[2].timing = timing();
    records[3].in_suite = false;
    records[3].category.clear();
    for (Record& r : records) {
      auto hash = store->put_blob("x = '</script>'  # " + r.candidate);
      ASSERT_TRUE(hash);
      r.source_hash = *hash;
      ASSERT_TRUE(store->append(r));
    }
  }
  void TearDown() override { fs::remove_all(folder_); }
  Runs runs(std::vector<std::string> folders = {}) {
    if (folders.empty()) folders = {folder_.string()};
    auto r = Runs::open(folders);
    EXPECT_TRUE(r) << r.error().text();
    return std::move(*r);
  }
  std::string text(Result<void> (*write)(const Runs&, const Sink&)) {
    std::string out;
    EXPECT_TRUE(write(runs(), [&](std::string_view bytes) { out += bytes; }));
    return out;
  }
  fs::path folder_;
};

TEST(CsvText, QuotesAndDoublesQuotes) {
  EXPECT_EQ(csv_text("plain"), "plain");
  EXPECT_EQ(csv_text("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_text("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_text("two\nlines"), "\"two\nlines\"");
}

TEST(CsvText, DisarmsFormulas) {
  for (std::string attack : {"=1+1", "+1", "-1", "@SUM(A1)", "\xEF\xBC\x9D" "1+1"}) EXPECT_EQ(csv_text(attack), "'" + attack);
  EXPECT_EQ(csv_text("\r=1"), "\"'\r'=1\"");
  EXPECT_EQ(csv_text("\tx"), "'\tx");
  EXPECT_EQ(csv_text("a;=1;b; -2;@x"), "a;'=1;b; -2;'@x");  // where the semicolon separates cells
  EXPECT_EQ(csv_text("a\n=1"), "\"a\n'=1\"");
  EXPECT_EQ(csv_text("a=1"), "a=1");
}

TEST(MarkdownText, NothingActsOnACodeHost) {
  EXPECT_EQ(markdown_text("<b> a|b @me #1 `x`"), "&#60;b&#62; a&#124;b &#64;me &#35;1 &#96;x&#96;");
  EXPECT_THAT(markdown_text("https://x.org www.x.org"), Not(HasSubstr("://")));
  EXPECT_THAT(markdown_text("see www.x.org"), Not(HasSubstr("www.")));
  EXPECT_THAT(markdown_text("a\r\nb"), Not(HasSubstr("\n")));
  EXPECT_EQ(markdown_code("a`|b\nc"), "`a'\\|b c`");
  EXPECT_EQ(markdown_code("  "), "–");
}

TEST(ScriptJson, CannotLeaveItsElement) {
  std::string out = script_json(Json{{"</script>", "<!-- <script> \xff"}});
  EXPECT_EQ(out.find('<'), std::string::npos);
  auto back = parse_json(out);
  ASSERT_TRUE(back);
  EXPECT_EQ((*back)["</script>"].get<std::string>().substr(0, 13), "<!-- <script>");
}

TEST(PolicyHash, IsBase64OfSha256) {
  EXPECT_EQ(policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(policy_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(UpstreamKey, SpellsCategoriesAsThePipelineDoes) {
  EXPECT_EQ(upstream_key("linear_algebra", "qr"), "LinearAlgebra/qr.py");
  EXPECT_EQ(upstream_key("math", "softmax"), "Math/softmax.py");
}

TEST_F(Forms, CsvHasOneRowACandidate) {
  std::string csv = text(write_csv);
  EXPECT_THAT(csv, HasSubstr(",a.jsonl:2,lu,linear_algebra,0,wrong_value,correct,true,false,true,true,"));
  EXPECT_THAT(csv, HasSubstr("\"'=HYPERLINK(\"\"x\"\")"));
  EXPECT_THAT(csv, HasSubstr(",strange,,0,not_in_suite,not_in_suite,"));
}

TEST_F(Forms, JsonHoldsSummaryAndRecords) {
  auto j = parse_json(text(write_json));
  ASSERT_TRUE(j) << j.error().text();
  EXPECT_EQ((*j)["summary"]["judged"], 3);
  EXPECT_EQ((*j)["summary"]["by_task"]["lu"]["exe"], 1);
  ASSERT_EQ((*j)["records"].size(), 4u);
  EXPECT_EQ((*j)["records"][1]["verdict"], "wrong_value");
  EXPECT_EQ((*j)["records"][1]["run"], "JsonHoldsSummaryAndRecords");
}

TEST_F(Forms, CsvHasTheTimeBehindTheKey) {
  std::string csv = text(write_csv);
  EXPECT_THAT(csv, HasSubstr(",source_sha256,key,gpu,board,speedup,speedup_low,speedup_high,host_speedup,iou,mfu,sizes,timing_marks,timing_problem\r\n"));
  EXPECT_THAT(csv, HasSubstr(",key2,NVIDIA X,GPU-1,2,1.86965,2.13943,,,,small 10/20 us; large 100/200 us,1 of 2 sizes launch-bound,\r\n"));
  EXPECT_THAT(csv, HasSubstr(",key0,,,,,,,,,,,\r\n"));
}

TEST_F(Forms, MarkdownHasTheTime) {
  std::string md = text(write_markdown);
  EXPECT_THAT(md, HasSubstr("### Time"));
  EXPECT_THAT(md, HasSubstr("1 of 2 correct candidates timed, of 3 judged"));
  EXPECT_THAT(md, HasSubstr("| `a.jsonl:3` | `qr` | 2.000 | [1.870, 2.139] | - | - | - | 1 of 2 sizes launch-bound |"));
}

TEST_F(Forms, UpstreamGetsThePipelinesRatioOfSums) {
  auto files = upstream_files(runs());
  ASSERT_TRUE(files);
  auto metrics = parse_json((*files)[0].text), summary = parse_json((*files)[1].text);
  ASSERT_TRUE(metrics && summary);
  const Json& qr = (*metrics)["LinearAlgebra/qr.py"];
  EXPECT_EQ(qr["perf_ok"], true);
  EXPECT_EQ(qr["speedup"], 2.0);  // (20 + 200) / (10 + 100)
  EXPECT_EQ(qr["runtime_ms"], 0.11);
  EXPECT_EQ((*metrics)["LinearAlgebra/lu.py"]["perf_ok"], false);
  EXPECT_EQ((*summary)["perf_pass"], 1);
  EXPECT_EQ((*summary)["perf_rate"], 50.0);
  EXPECT_EQ((*summary)["avg_speedup"], 2.0);
  EXPECT_EQ((*summary)["avg_speedup_per_task"], 2.0);
}

TEST_F(Forms, JsonDocumentAndPageHoldTheTime) {
  auto j = parse_json(text(write_json));
  ASSERT_TRUE(j);
  EXPECT_EQ((*j)["summary"]["timing"]["timed"], 1);
  EXPECT_EQ((*j)["records"][2]["timing"]["sizes"][1]["case"], "large");
  EXPECT_FALSE((*j)["records"][0].contains("timing"));
  std::string page = text(write_page);
  EXPECT_THAT(page, HasSubstr("[\"NVIDIA X\",2.0,1.8697,2.1394,null,null,null,\"1 of 2 sizes launch-bound\",\"\",[[\"small\",10.0,20.0,"));
}

TEST_F(Forms, SarifGivesEveryFailureAResult) {
  auto j = parse_json(text(write_sarif));
  ASSERT_TRUE(j);
  const Json& results = (*j)["runs"][0]["results"];
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0]["ruleId"], "wrong_value");
  EXPECT_EQ(results[0]["level"], "error");
}

TEST_F(Forms, MarkdownTellsTheRateAndTheDisagreements) {
  std::string md = text(write_markdown);
  EXPECT_THAT(md, HasSubstr("## kbx: 2 of 3 candidates correct"));
  EXPECT_THAT(md, HasSubstr("kbx and the published rules disagree: 2"));
  EXPECT_THAT(md, HasSubstr("Failed candidates: 1"));
  EXPECT_THAT(md, Not(HasSubstr("<b>")));
  EXPECT_LT(md.size(), kMarkdownMost);
}

TEST_F(Forms, UpstreamKeepsEveryAttempt) {
  auto files = upstream_files(runs());
  ASSERT_TRUE(files);
  ASSERT_EQ(files->size(), 4u);
  EXPECT_EQ((*files)[0].path, "sample_0/metrics.json");
  EXPECT_EQ((*files)[3].path, "sample_1/summary.json");
  auto metrics = parse_json((*files)[0].text), summary = parse_json((*files)[1].text),
       second = parse_json((*files)[2].text);
  ASSERT_TRUE(metrics && summary && second);
  const Json& lu = (*metrics)["LinearAlgebra/lu.py"];
  EXPECT_EQ(lu["exe_ok"], false);  // by the published rules; kbx says otherwise
  EXPECT_EQ(lu["kbx"]["verdict"], "correct");
  EXPECT_EQ(lu["speedup"], "N/A");
  EXPECT_EQ((*summary)["total"], 2);
  EXPECT_EQ((*summary)["exe_pass"], 1);
  EXPECT_EQ((*summary)["exe_rate"], 50.0);
  EXPECT_EQ((*second).size(), 1u);
}

TEST_F(Forms, PageHoldsNoTextOfACandidateOutsideData) {
  std::string page = text(write_page);
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("id=\"d3\""));
  EXPECT_THAT(page, HasSubstr("x = '\\u003c/script>'"));
  EXPECT_THAT(page, Not(HasSubstr("x = '</script>")));
}

TEST_F(Forms, RunsOfOneNameGetDifferentLabels) {
  fs::path copy = folder_ / "other" / folder_.filename();
  fs::create_directories(copy);
  fs::copy(folder_ / "run.db", copy / "run.db");
  Runs two = runs({folder_.string(), copy.string()});
  EXPECT_NE(two.all()[0].label, two.all()[1].label);
  EXPECT_EQ(two.summary()->candidates, 8);
}

TEST_F(Forms, TheSameRunIsNotTakenTwice) {
  auto two = Runs::open({folder_.string(), (folder_ / "." / "").string()});
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().code, Code::usage);
}

TEST(RunsOpen, NamesWhatIsNoRun) { EXPECT_FALSE(Runs::open({"/nonexistent/run"})); }

}  // namespace
}  // namespace kbx::report
