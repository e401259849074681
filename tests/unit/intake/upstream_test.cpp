// The published clear_code, as observed: each case states what the published pipeline makes of the reply.
#include "intake/upstream.h"

#include <gtest/gtest.h>

#include "intake/extract.h"

namespace kbx::intake {
namespace {

TEST(Upstream, TakesTheFirstPythonBlock) {
  EXPECT_EQ(upstream_clear_code("a\n```python\nx = 1\n```\nb\n```python\nx = 2\n```\n"), "x = 1");
}
TEST(Upstream, GivesTheProseInFrontOfAnotherTag) {
  EXPECT_EQ(upstream_clear_code("Here it is:\n```triton\nx = 1\n```\n"), "Here it is:");
  EXPECT_EQ(upstream_clear_code("```py\nx = 1\n```\n"), "");
}
TEST(Upstream, LeavesTheRestOfALongerTag) {
  EXPECT_EQ(upstream_clear_code("```python3\nx = 1\n```"), "3\nx = 1");
  EXPECT_EQ(upstream_clear_code("```python:a.py\nx = 1\n```"), ":a.py\nx = 1");
}
TEST(Upstream, EndsAtAFenceInsideADocstring) {
  EXPECT_EQ(upstream_clear_code("```python\ndef f():\n    '''\n    ```\n    '''\n```"), "def f():\n    '''");
}
TEST(Upstream, KeepsTextWithoutFencesAndStripsUnicodeSpace) {
  EXPECT_EQ(upstream_clear_code("\xC2\xA0\n\x1cx = 1\xE3\x80\x80\n"), "x = 1");
  EXPECT_EQ(upstream_clear_code("\xEF\xBB\xBFx"), "\xEF\xBB\xBFx") << "a byte order mark is no white space";
}
TEST(Upstream, RemovesTwoSpecialTokensAnywhereAndNoOther) {
  EXPECT_EQ(upstream_clear_code("x<|EOT|> = <|im_end|>1<|im_start|>"), "x = 1<|im_start|>");
  EXPECT_EQ(upstream_clear_code("<|im_<|im_end|>end|>"), "<|im_end|>") << "replaced once, from left to right";
}
TEST(Upstream, AnUnclosedBlockRunsToTheEnd) { EXPECT_EQ(upstream_clear_code("```python\nx = 1\ny ="), "x = 1\ny ="); }
TEST(Upstream, KeepsCarriageReturns) { EXPECT_EQ(upstream_clear_code("```python\r\nx\r\ny\r\n```"), "x\r\ny"); }

TEST(Upstream, ExtractCutsThePublishedTestsAndSaysSo) {
  std::string ruler(146, '#');
  Extracted got = extract("x = 1\n" + ruler + "\ntests", ExtractMode::upstream, {});
  EXPECT_EQ(got.code, "x = 1\n");
  EXPECT_EQ(got.how, "upstream");
  ASSERT_EQ(got.findings.size(), 1u);
  EXPECT_EQ(got.findings[0].rule, "published_tests_cut");
  EXPECT_EQ(extract("x\n" + std::string(145, '#') + "\ny", ExtractMode::upstream, {}).code,
            "x\n" + std::string(145, '#') + "\ny");
}

}  // namespace
}  // namespace kbx::intake
