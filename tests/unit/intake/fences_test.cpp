// Fenced blocks as CommonMark has them, and as models write them.
#include "intake/fences.h"

#include <gtest/gtest.h>

#include "intake/extract.h"

namespace kbx::intake {
namespace {

TEST(Fences, ReadsTagsContentAndPlaces) {
  std::string text = "a\n```Python title=\"x\"\ncode\n```\nb\n~~~\nmore\n~~~\n";
  auto blocks = find_blocks(text);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].tag, "python");
  EXPECT_EQ(blocks[0].content, "code\n");
  EXPECT_EQ(text.substr(blocks[0].begin, 3), "```");
  EXPECT_EQ(text.substr(blocks[0].end, 2), "b\n");
  EXPECT_EQ(blocks[1].tag, "");
  EXPECT_TRUE(blocks[1].closed);
}

TEST(Fences, AFenceIsClosedOnlyByItsOwnKind) {
  auto blocks = find_blocks("````\n```\n~~~\n````` \n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].content, "```\n~~~\n");
  EXPECT_TRUE(blocks[0].closed);
}

TEST(Fences, InlineCodeIsNoFence) {
  EXPECT_TRUE(find_blocks("``` x ``` is inline\nuse `a` and ``b``\n").empty());
  EXPECT_TRUE(find_blocks("a line that ends in ```\n").empty());
}

TEST(Fences, AnOpeningFenceMayEndASentence) {
  auto blocks = find_blocks("Here it is: ```python\nx = 1\n```\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].content, "x = 1\n");
}

TEST(Fences, AClosingFenceMayEndACodeLine) {
  auto blocks = find_blocks("```python\nx = 1\ny = 2```\nprose\n");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].content, "x = 1\ny = 2\n");
  EXPECT_TRUE(blocks[0].closed);
}

TEST(Fences, AListMarkerMayStandInFrontOfTheFence) {
  auto blocks = find_blocks("1. ```python\n   x = 1\n   ```\n- ```py\n  y = 2\n  ```\n");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].content, "x = 1\n");
  EXPECT_EQ(blocks[1].content, "y = 2\n");
}

TEST(Fences, AnUnclosedBlockRunsToTheEnd) {
  auto blocks = find_blocks("```\nx = 1\n\ny = 2");
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_FALSE(blocks[0].closed);
  EXPECT_EQ(blocks[0].content, "x = 1\n\ny = 2");
}

TEST(Extract, AnUnclosedCompleteBlockIsNotCut) {
  Extracted got = extract("```python\ndef relu(x):\n    return x\n", ExtractMode::kbx, {{"relu"}});
  EXPECT_EQ(got.code, "def relu(x):\n    return x\n");
  EXPECT_FALSE(got.truncated);
  ASSERT_EQ(got.findings.size(), 1u);
  EXPECT_EQ(got.findings[0].rule, "fence_not_closed");
}

TEST(Extract, ACutCorrectionGivesTheEarlierCompleteBlock) {
  Extracted got =
      extract("```python\ndef relu(x):\n    return x\n```\nBetter:\n```python\ndef relu(x):\n    return (x,",
              ExtractMode::kbx, {{"relu"}});
  EXPECT_EQ(got.code, "def relu(x):\n    return x\n");
  EXPECT_TRUE(got.truncated);
}

TEST(Extract, ATorchReferenceBehindTheKernelIsNotTheAnswer) {
  std::string kernel =
      "import torch, triton\n@triton.jit\ndef k(x):\n    pass\ndef relu(x):\n    k[(1,)](x)\n    return x\n";
  Extracted got =
      extract("```python\n" + kernel + "```\nCompare with\n```python\ndef relu(x):\n    return torch.relu(x)\n```\n",
              ExtractMode::kbx, {{"relu"}});
  EXPECT_EQ(got.code, kernel);
}

TEST(Extract, ARaggedOrIndentedReplyIsStraightened) {
  EXPECT_EQ(extract(" \n import torch\ndef relu(x):\n    return x\n\n\n", ExtractMode::kbx, {{"relu"}}).code,
            "import torch\ndef relu(x):\n    return x\n");
  EXPECT_EQ(extract("    import torch\n\n    def relu(x):\n        return x\n", ExtractMode::kbx, {{"relu"}}).code,
            "import torch\n\ndef relu(x):\n    return x\n");
}

TEST(Extract, ATagInsideAStringIsNoReasoning) {
  std::string code = "def relu(x):\n    return x, \"</think>\"\n";
  EXPECT_EQ(extract(code, ExtractMode::kbx, {{"relu"}}).code, code);
}

TEST(Extract, ASpecialTokenInsideAStringStays) {
  std::string code = "def relu(x):\n    return x, \"<|im_end|>\"\n";
  EXPECT_EQ(extract(code, ExtractMode::kbx, {{"relu"}}).code, code);
}

TEST(Extract, KernelFunctionIsATargetOfEveryTask) {
  Extracted got =
      extract("```python\ndef kernel_function(x):\n    return x\n```\n```python\ndef main():\n    pass\n```\n",
              ExtractMode::kbx, {{"relu"}});
  EXPECT_EQ(got.code, "def kernel_function(x):\n    return x\n");
}

TEST(Extract, ModesHaveNames) {
  for (auto mode : {ExtractMode::upstream, ExtractMode::kbx, ExtractMode::repair})
    EXPECT_EQ(extract_mode_from_text(to_text(mode)), mode);
  EXPECT_FALSE(extract_mode_from_text("best"));
}

}  // namespace
}  // namespace kbx::intake
