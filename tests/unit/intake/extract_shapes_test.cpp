// The awkward shapes of replies, one fixture each under tests/intake: the code byte for byte, and the flags.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "intake/extract.h"

namespace kbx::intake {
namespace {

using ::testing::ElementsAreArray;

struct Shape {
  const char* name;
  const char* how;
  bool truncated = false;
  int candidates = 1;
  std::vector<std::string> rules = {};
};

std::string fixture(const std::string& file) {
  auto text = read_file(std::string(KBX_SOURCE_DIR) + "/tests/intake/shape_" + file);
  EXPECT_TRUE(text) << file;
  return text ? *text : "";
}

std::vector<std::string> rules_of(const Extracted& e) {
  std::vector<std::string> out;
  for (const auto& f : e.findings) out.push_back(f.rule);
  return out;
}

const Target kRelu{{"relu"}};

class ExtractShape : public ::testing::TestWithParam<Shape> {};

TEST_P(ExtractShape, GivesTheExpectedCodeAndFlags) {
  const Shape& shape = GetParam();
  Extracted got = extract(fixture(std::string(shape.name) + ".md"), ExtractMode::kbx, kRelu);
  EXPECT_EQ(got.code, fixture(std::string(shape.name) + ".expected.txt"));
  EXPECT_EQ(got.how, shape.how);
  EXPECT_EQ(got.truncated, shape.truncated);
  EXPECT_FALSE(got.repaired) << "the mode kbx never changes code";
  EXPECT_EQ(got.candidates, shape.candidates);
  EXPECT_THAT(rules_of(got), ElementsAreArray(shape.rules));
}

INSTANTIATE_TEST_SUITE_P(
    All, ExtractShape,
    ::testing::Values(
        Shape{"01_prose_block_prose", "fence"}, Shape{"02_bare_code_then_explanation", "before_fence"},
        Shape{"03_tag_triton", "fence"}, Shape{"03_tag_tritonpython", "fence"}, Shape{"03_tag_python_name", "fence"},
        Shape{"03_tag_braces", "fence"}, Shape{"03_tag_cpp_on_python", "fence"},
        Shape{"04_kernel_usage_output", "fence"}, Shape{"05_corrected_version", "fence", false, 2},
        Shape{"05_corrected_wrapper_only", "joined", false, 2}, Shape{"06_kernel_and_wrapper", "joined", false, 2},
        Shape{"06_three_parts", "joined", false, 4}, Shape{"06_imports_behind_kernel", "joined", false, 2},
        Shape{"07_docstring_with_fence", "fence"},
        Shape{"08_four_backticks", "fence"}, Shape{"08_tildes", "fence"}, Shape{"09_numbered_list_crlf", "fence"},
        Shape{"09_tab_indented", "fence"}, Shape{"10_cut_mid_line", "fence", true, 1, {"reply_cut"}},
        Shape{"11_think_with_draft", "fence"}, Shape{"12_lone_end_of_think", "whole"},
        Shape{"13_reasoning_only", "none", true, 0, {"reply_cut"}},
        Shape{"13_reasoning_only_with_draft", "reasoning", true, 1, {"reply_cut"}},
        Shape{"13_reasoning_then_nothing", "none", false, 0, {"no_code"}}, Shape{"14_json_escaped", "json"},
        Shape{"14_json_raw_newlines", "json_salvage"}, Shape{"14_json_trailing_comma", "json_salvage"},
        Shape{"14_json_fenced_code_fenced", "json"}, Shape{"14_json_cut", "json_salvage", true, 1, {"reply_cut"}},
        Shape{"15_garbage_after_end_token", "whole", false, 1, {"text_after_end_token"}},
        Shape{"15_code_after_token", "whole"}, Shape{"15_repeated_lines", "whole"},
        Shape{"15_typographic_quotes", "fence", false, 1, {"typographic"}},
        Shape{"15_no_break_space", "fence", false, 1, {"typographic"}}, Shape{"15_diff", "none", false, 0, {"no_code"}},
        Shape{"15_placeholder", "fence", false, 1, {"placeholder"}}, Shape{"15_refusal", "none", false, 0, {"no_code"}},
        Shape{"15_test_module", "fence", false, 1, {"target_not_defined"}},
        Shape{"15_cpp", "none", false, 0, {"no_code"}}, Shape{"15_empty", "none", false, 0, {"no_code"}},
        Shape{"16_published_tests_bare", "whole", false, 1, {"published_tests_cut"}},
        Shape{"16_published_tests_fenced", "fence", false, 1, {"published_tests_cut"}}),
    [](const auto& info) { return std::string("Shape") + info.param.name; });

TEST(ExtractShape, AReplyCutInsideReasoningSaysSo) {
  Extracted got = extract(fixture("13_reasoning_only.md"), ExtractMode::kbx, kRelu);
  ASSERT_EQ(got.findings.size(), 1u);
  EXPECT_EQ(got.findings[0].message, "The reply ends inside the model's reasoning: it was cut.");
}

TEST(ExtractRepair, MendsWhatKbxLeavesAndMarksIt) {
  std::string good = fixture("01_prose_block_prose.expected.txt");
  for (const char* name : {"15_repeated_lines", "15_typographic_quotes", "15_no_break_space"}) {
    Extracted got = extract(fixture(std::string(name) + ".md"), ExtractMode::repair, kRelu);
    EXPECT_TRUE(got.repaired) << name;
    std::string want = std::string(name) == "15_typographic_quotes"
                           ? "import torch\nNAME = \"relu\"\n" + good.substr(good.find("import triton"))
                           : good;
    EXPECT_EQ(got.code, want) << name;
  }
}

TEST(ExtractRepair, LeavesGoodAndHopelessCodeAlone) {
  for (const char* name : {"01_prose_block_prose", "15_test_module", "10_cut_mid_line", "15_refusal"}) {
    std::string reply = fixture(std::string(name) + ".md");
    Extracted kbx = extract(reply, ExtractMode::kbx, kRelu), repaired = extract(reply, ExtractMode::repair, kRelu);
    EXPECT_FALSE(repaired.repaired) << name;
    EXPECT_EQ(kbx.code, repaired.code) << name;
  }
}

}  // namespace
}  // namespace kbx::intake
