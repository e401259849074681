// lint(): what holds for all rules together, and the entry's reach.
#include "lint/lint.h"

#include <gtest/gtest.h>

#include <set>

#include "base/files.h"

namespace kbx::lint {
namespace {

const std::string kHead =
    "import torch, triton, os\n@triton.jit\ndef kernel(x): pass\ndef entry(x):\n  kernel[(1,)](x)\n";

std::vector<Finding> run(const std::string& text) {
  LintInput input;
  input.source = text;
  input.entry = "entry";
  return lint(input);
}
std::optional<Severity> severity(const std::vector<Finding>& findings, std::string_view rule) {
  for (const Finding& f : findings)
    if (f.rule == rule) return f.severity;
  return std::nullopt;
}

TEST(Lint, HonestKernelHasNoFindings) { EXPECT_TRUE(run(kHead).empty()); }

TEST(Lint, RulesAreNamedOnceAndDescribed) {
  std::set<std::string_view> ids;
  for (const Rule* r : all_rules()) {
    EXPECT_TRUE(ids.insert(r->id).second) << r->id;
    EXPECT_FALSE(r->summary.empty() || r->why.empty() || r->honest.empty()) << r->id;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(KBX_SOURCE_DIR) / "src/lint/rules" /
                                        (std::string(r->id) + ".cpp")));
  }
}

TEST(Lint, DocumentHasTheTableOfRules) {
  std::string document = read_file(std::filesystem::path(KBX_SOURCE_DIR) / "docs/lint.md").value();
  EXPECT_NE(document.find(rules_markdown()), std::string::npos) << "docs/lint.md is out of step; its table must be:\n"
                                                                << rules_markdown();
}

TEST(Lint, DeadCodeIsANoteAtMost) {
  EXPECT_EQ(severity(run(kHead + "def dead():\n  os.system('x')\n"), "process_use"), Severity::note);
  EXPECT_EQ(severity(run(kHead + "def live():\n  os.system('x')\nlive()\n"), "process_use"), Severity::reject);
  EXPECT_EQ(severity(run(kHead + "class A:\n  def f(self):\n    os.system('x')\nT = {1: A}\n"), "process_use"),
            Severity::reject);
  EXPECT_EQ(severity(run(kHead + "@register\ndef live():\n  os.system('x')\n"), "process_use"), Severity::reject);
  EXPECT_EQ(severity(run(kHead + "def __getattr__(n):\n  os.system('x')\n"), "process_use"), Severity::reject);
  EXPECT_EQ(severity(run(kHead + "def dead():\n  os.system('x')\nglobals()\n"), "process_use"), Severity::reject);
}

TEST(Lint, WithoutAnEntryAllCodeCounts) {
  EXPECT_EQ(severity(run("import os\ndef f():\n  os.system('x')\n"), "process_use"), Severity::reject);
}

TEST(Lint, MainGuardIsNotJudgedButItsElseIs) {
  std::string guard = kHead + "if __name__ == '__main__':\n  os.system('x')\n";
  EXPECT_EQ(severity(run(guard), "process_use"), std::nullopt);
  EXPECT_EQ(severity(run(guard + "else:\n  os.fork()\n"), "process_use"), Severity::reject);
  EXPECT_EQ(severity(run(kHead + "if x and '__main__' == __name__:\n  os.system('x')\n"), "process_use"), std::nullopt);
  EXPECT_EQ(severity(run(kHead + "if x or __name__ == '__main__':\n  os.system('x')\n"), "process_use"),
            Severity::reject);
  EXPECT_EQ(severity(run(kHead + "if __name__ != '__main__':\n  os.system('x')\n"), "process_use"), Severity::reject);
  EXPECT_EQ(severity(run("__name__ = '__main__'\n" + guard), "process_use"), Severity::reject);
}

TEST(Lint, AbsenceIsUncertainWhereTheTextHasErrors) {
  EXPECT_EQ(severity(run("def f(:\n"), "entry_missing"), Severity::warn);
  EXPECT_EQ(severity(run("def f(:\n"), "no_triton_kernel"), Severity::warn);
  EXPECT_EQ(severity(run("def f(): pass\n"), "entry_missing"), Severity::reject);
}

TEST(Lint, OneFindingPerRuleAndLine) {
  EXPECT_EQ(run(kHead + "os.system('x'); os.system('y')\n").size(), 1u);
  EXPECT_EQ(run(kHead + "os.system('x'); os.environ.get('y')\n").size(), 2u);
}

TEST(Lint, FindingsAreBoundedAndTheirTextIsUtf8) {
  std::string text = kHead;
  for (int i = 0; i < 5000; i++) text += "os.system('x')\n";
  EXPECT_LE(run(text).size(), 64u);
  std::string name(100000, 'a');
  for (const Finding& f : run(kHead + "import subprocess." + name + "\n")) EXPECT_LT(f.message.size(), 600u);
}

TEST(Lint, SameTextSameFindings) {
  std::string text = kHead + "exec('x')\nimport ctypes, socket\ntorch.x = 1\n";
  auto a = run(text), b = run(text);
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); i++) {
    EXPECT_EQ(a[i].message, b[i].message);
    if (i > 0) EXPECT_LE(a[i - 1].line, a[i].line);
  }
}

}  // namespace
}  // namespace kbx::lint
