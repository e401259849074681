// A diff turns one text into the other, shortest first.
#include "dataset/diff.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kbx::dataset {
namespace {

std::vector<std::string_view> views(const std::vector<std::string>& lines) { return {lines.begin(), lines.end()}; }

std::vector<std::string> applied(const std::vector<std::string>& a, const std::vector<std::string>& b, const std::vector<Edit>& all) {
  std::vector<std::string> out;
  size_t at = 0;
  for (const Edit& e : all) {
    while (at < e.a) out.push_back(a[at++]);
    at += e.a_size;
    for (size_t k = e.b; k < e.b + e.b_size; k++) out.push_back(b[k]);
  }
  while (at < a.size()) out.push_back(a[at++]);
  return out;
}

// Longest common subsequence by the textbook table.
size_t common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<size_t>> t(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); i++)
    for (size_t j = 1; j <= b.size(); j++) t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : std::max(t[i - 1][j], t[i][j - 1]);
  return t[a.size()][b.size()];
}

TEST(Diff, is_applied_and_shortest_for_random_texts) {
  uint64_t state = 1;
  auto next = [&](uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 40) % below;
  };
  for (int n = 0; n < 500; n++) {
    std::vector<std::string> a, b;
    for (uint64_t k = next(12); k > 0; k--) a.push_back(std::string(1, char('a' + next(4))));
    for (uint64_t k = next(12); k > 0; k--) b.push_back(std::string(1, char('a' + next(4))));
    auto all = edits(views(a), views(b));
    ASSERT_EQ(applied(a, b, all), b);
    size_t removed = 0, added = 0;
    for (const Edit& e : all) removed += e.a_size, added += e.b_size;
    ASSERT_EQ(a.size() - removed, common(a, b));
    ASSERT_EQ(b.size() - added, common(a, b));
  }
}

TEST(Diff, a_unified_diff_has_the_form_that_patch_reads) {
  Diff d = unified_diff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nD\ne\nf\ng\nh\n", "one", "two");
  EXPECT_EQ(d.text, "--- one\n+++ two\n@@ -1,7 +1,7 @@\n a\n b\n c\n-d\n+D\n e\n f\n g\n");
  EXPECT_EQ(d.stats.added, 1);
  EXPECT_EQ(d.stats.removed, 1);
  EXPECT_EQ(d.stats.opcodes, 3);
  EXPECT_DOUBLE_EQ(d.stats.similarity, 14.0 / 16);
  EXPECT_EQ(unified_diff("x", "x\n", "a", "b").text, "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n");
  EXPECT_EQ(unified_diff("", "x\n", "a", "b").text, "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(unified_diff("x\n", "x\n", "a", "b").text, "");
  EXPECT_DOUBLE_EQ(unified_diff("", "", "a", "b").stats.similarity, 1);
}

TEST(Diff, hunks_far_apart_are_two_near_ones_one) {
  std::string a, b, c;
  for (int k = 0; k < 30; k++) {
    a += std::to_string(k) + "\n";
    b += (k == 3 || k == 20 ? "x" : std::to_string(k)) + "\n";
    c += (k == 3 || k == 10 ? "x" : std::to_string(k)) + "\n";
  }
  auto hunks = [](const std::string& text) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find("@@ -", at)) != text.npos; at++) n++;
    return n;
  };
  EXPECT_EQ(hunks(unified_diff(a, b, "a", "b").text), 2u);
  EXPECT_EQ(hunks(unified_diff(a, c, "a", "c").text), 1u);
}

TEST(Diff, texts_without_a_common_line_are_one_edit) {
  std::vector<std::string> a(3000, "a"), b(3000, "b");
  auto all = edits(views(a), views(b));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].a_size, 3000u);
  EXPECT_EQ(all[0].b_size, 3000u);
}

}  // namespace
}  // namespace kbx::dataset
