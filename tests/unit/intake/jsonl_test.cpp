// Good and bad lines of JSON, cut anywhere.
#include "intake/jsonl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace kbx::intake {
namespace {

using ::testing::HasSubstr;

struct Read {
  std::vector<JsonlRow> rows;
  std::map<size_t, std::string> problems;
};

Read read(std::string_view text, size_t piece = 1 << 20, size_t most = JsonlReader::kMostLineBytes) {
  Read out;
  JsonlReader reader({.row = [&](JsonlRow r) { out.rows.push_back(std::move(r)); },
                      .problem = [&](LineProblem p) { out.problems[p.line] = p.reason; }},
                     most);
  for (size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  reader.finish();
  return out;
}

TEST(Jsonl, ReadsEveryField) {
  Read got = read(R"({"file":"Math/softmax.py","predict":"x = 1\n","entry":"softmax_v2","sample":3,"id":"a-1"})");
  ASSERT_EQ(got.rows.size(), 1u);
  const auto& r = got.rows[0];
  EXPECT_EQ(r.line, 1u);
  EXPECT_EQ(r.task, "Math/softmax.py");
  EXPECT_EQ(r.reply, "x = 1\n");
  EXPECT_EQ(r.entry, "softmax_v2");
  EXPECT_EQ(r.sample, 3);
  EXPECT_EQ(r.id, "a-1");
}

TEST(Jsonl, AcceptsTheOtherNamesOfFields) {
  Read got = read(
      "{\"task\":\"a\",\"code\":\"1\"}\n{\"task\":\"b\",\"file\":\"c\",\"response\":\"2\",\"id\":7}\n{\"predict\":"
      "\"3\",\"code\":\"4\"}\n");
  ASSERT_EQ(got.rows.size(), 3u);
  EXPECT_EQ(got.rows[0].reply, "1");
  EXPECT_EQ(got.rows[1].task, "b");
  EXPECT_EQ(got.rows[1].id, "7");
  EXPECT_EQ(got.rows[2].reply, "3");
  EXPECT_EQ(got.rows[2].task, "");
}

TEST(Jsonl, ABadLineIsReportedAndTheRestIsRead) {
  std::string text =
      "{\"task\":\"a\",\"predict\":\"1\"}\n"                    // 1
      "{\"task\":\"a\",\"predict\":\n"                          // 2
      "[1]\n"                                                   // 3
      "{\"task\":\"a\"}\n"                                      // 4
      "{\"task\":1,\"predict\":\"\"}\n"                         // 5
      "{\"task\":\"a\",\"predict\":[\"x\"]}\n"                  // 6
      "{\"task\":\"a\",\"predict\":\"\xff\"}\n"                 // 7
      "{\"task\":\"a\",\"predict\":\"1\",\"predict\":\"2\"}\n"  // 8
      "{\"task\":\"a\",\"predict\":\"1\",\"sample\":-1}\n"      // 9
      "{\"task\":\"a\",\"predict\":\"1\"} trailing\n"           // 10
      "{\"task\":\"a\",\"predict\":\"\\ud800\"}\n"              // 11
      "{\"task\":\"z\",\"predict\":\"2\"}";                     // 12
  Read got = read(text);
  ASSERT_EQ(got.rows.size(), 2u);
  EXPECT_EQ(got.rows[1].line, 12u);
  EXPECT_EQ(got.problems.size(), 10u);
  EXPECT_THAT(got.problems[2], HasSubstr("not valid JSON"));
  EXPECT_EQ(got.problems[3], "a line must hold an object, not array");
  EXPECT_THAT(got.problems[4], HasSubstr("no \"predict\""));
  EXPECT_EQ(got.problems[5], "\"task\" is number, not a string");
  EXPECT_EQ(got.problems[6], "\"predict\" is array, not a string");
  EXPECT_EQ(got.problems[7], "invalid UTF-8");
  EXPECT_EQ(got.problems[8], "the key \"predict\" stands twice");
  EXPECT_EQ(got.problems[9], "\"sample\" is not a number >= 0");
}

TEST(Jsonl, EqualKeysInNestedObjectsAreNotDuplicates) {
  EXPECT_EQ(read(R"({"task":"a","predict":"{\"k\":1,\"k\":2}","x":{"task":1},"y":[{"task":1},"task","predict"]})")
                .rows.size(),
            1u);
  EXPECT_EQ(read(R"({"task":"a","predict":"1","t\u0061sk":"b"})").problems[1], "the key \"task\" stands twice");
}

TEST(Jsonl, AcceptsByteOrderMarkCrlfBlankLinesAndNull) {
  Read got = read("\xEF\xBB\xBF{\"task\":\"a\",\"predict\":\"1\"}\r\n\r\n   \n{\"task\":\"b\",\"predict\":null}\r\n");
  ASSERT_EQ(got.rows.size(), 2u);
  EXPECT_EQ(got.rows[1].line, 4u);
  EXPECT_EQ(got.rows[1].reply, "");
  EXPECT_TRUE(got.problems.empty());
}

TEST(Jsonl, ALineThatIsTooLongIsSkippedWhole) {
  std::string text =
      "{\"task\":\"a\",\"predict\":\"" + std::string(200, 'x') + "\"}\n{\"task\":\"b\",\"predict\":\"1\"}\n";
  Read got = read(text, 16, 100);
  ASSERT_EQ(got.rows.size(), 1u);
  EXPECT_EQ(got.rows[0].line, 2u);
  EXPECT_EQ(got.problems[1], "longer than 100 bytes");
}

TEST(Jsonl, AnyCutOfTheBytesGivesTheSameRows) {
  std::string text = "{\"task\":\"a\",\"predict\":\"\xE2\x82\xAC\"}\n\n{bad\n{\"task\":\"b\",\"predict\":\"2\"}";
  Read whole = read(text);
  for (size_t piece : {1, 2, 3, 7}) {
    Read got = read(text, piece);
    ASSERT_EQ(got.rows.size(), whole.rows.size());
    EXPECT_EQ(got.rows[0].reply, "\xE2\x82\xAC");
    EXPECT_EQ(got.rows[1].line, 4u);
    EXPECT_EQ(got.problems, whole.problems);
  }
}

TEST(Jsonl, ANulByteEndsNothing) {
  using namespace std::string_literals;
  EXPECT_EQ(read("{\"task\":\"a\",\"predict\":\"1\"}\0 {\"x\":\"\n"s).problems[1], "a NUL byte");
}

TEST(Jsonl, DeepNestingIsAProblemNotACrash) {
  EXPECT_EQ(read("{\"predict\":" + std::string(100000, '[')).problems.size(), 1u);
}

TEST(Jsonl, TellsCandidatesFromAReplyInJson) {
  EXPECT_TRUE(looks_like_jsonl("{\"file\":\"a\",\"predict\":\"x\"}\n"));
  EXPECT_TRUE(looks_like_jsonl("\n {\"predict\":\"x\"}\n{"));
  EXPECT_FALSE(looks_like_jsonl("{\"strategy\":\"s\",\"code\":\"x\"}\n"));
  EXPECT_FALSE(looks_like_jsonl("import torch\n"));
  EXPECT_FALSE(looks_like_jsonl("{\n\"file\": \"a\"}"));
}

}  // namespace
}  // namespace kbx::intake
