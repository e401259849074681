// Loading folders, looking tasks up by the names people use.
#include "suite/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"
#include "signature_rows.h"
#include "suite/names.h"

namespace kbx::suite {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class SuiteFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kbx_suite_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void add(const std::string& category, const std::string& name, const std::string& entry,
           const std::string& extra = "") {
    fs::path at = folder_ / category / name;
    fs::create_directories(at);
    std::string text = task_text(name, entry + "(input)", "close");
    text.replace(text.find("\"math\""), 6, "\"" + category + "\"");
    ASSERT_TRUE(write_file(at / "task.toml", extra + text));
    ASSERT_TRUE(write_file(at / "reference.py", "def " + entry + "(input):\n    return input\n"));
  }
  fs::path folder_;
};

TEST_F(SuiteFolder, FindsTasksInEveryFormOfTheirName) {
  add("fusion", "fused_add_mean", "fused_add_mean");
  add("linear_algebra", "qr", "qr");
  add("optimizer", "AdamW", "adamw_step", "aliases = [\"adamw_kernel\"]\n");
  auto suite = load_suite(folder_);
  ASSERT_TRUE(suite) << suite.error().message;
  ASSERT_EQ(suite->tasks.size(), 3u);
  for (const char* name :
       {"fused_add_mean", "fusion/fused_add_mean", "Fusion/fused_add_mean.py", "a/b/Fusion/fused_add_mean.py"}) {
    const Task* task = suite->find(name);
    ASSERT_NE(task, nullptr) << name;
    EXPECT_EQ(task->name, "fused_add_mean");
  }
  for (const char* name : {"LinearAlgebra/qr.py", "linear_algebra/qr", "QR", "wrong/qr"})
    EXPECT_NE(suite->find(name), nullptr) << name;
  for (const char* name : {"AdamW", "Optimizer/AdamW.py", "adamw", "adamw_kernel", "adamw_step"})
    EXPECT_NE(suite->find(name), nullptr) << name;
  EXPECT_EQ(suite->find("nothing"), nullptr);
  EXPECT_EQ(suite->find(""), nullptr);
  EXPECT_EQ(suite->did_you_mean("Fusion/fused_add_maen.py", suite::Suite::Meant::task), "; did you mean fused_add_mean?");
}

TEST_F(SuiteFolder, TakesTheSourcesAndHashesTextAndReference) {
  add("math", "t", "t");
  auto before = load_task(folder_ / "math" / "t");
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_THAT(before->reference, HasSubstr("def t(input)"));
  EXPECT_EQ(before->witness, "");
  EXPECT_EQ(before->version.size(), 64u);
  ASSERT_TRUE(write_file(folder_ / "math" / "t" / "mutants.py", "def a(input):\n    pass\n"));
  EXPECT_EQ(load_task(folder_ / "math" / "t")->version, before->version);
  ASSERT_TRUE(write_file(folder_ / "math" / "t" / "reference.py", "def t(input):\n    return -input\n"));
  EXPECT_NE(load_task(folder_ / "math" / "t")->version, before->version);
}

TEST_F(SuiteFolder, ListsTheProblemsOfAllTasksAndKeepsTheGoodOnes) {
  add("math", "good", "good");
  add("math", "bad", "bad", "nmae = 1\n");
  add("math", "twice", "twice");
  add("loss", "twice", "twice");
  add("math", "noref", "noref");
  fs::remove(folder_ / "math" / "noref" / "reference.py");
  add("math", "other", "other");
  ASSERT_TRUE(write_file(folder_ / "math" / "other" / "reference.py", "def othr(input):\n    return input\n"));
  add("math", "named", "named");
  fs::rename(folder_ / "math" / "named", folder_ / "math" / "renamed");
  auto scanned = scan_suite(folder_);
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_EQ(scanned->suite.tasks.size(), 2u);
  EXPECT_THAT(scanned->problems, ElementsAre(HasSubstr("bad/task.toml:1:1: task: unknown key 'nmae'"),
                                             HasSubstr("noref/reference.py"), HasSubstr("does not define other()"),
                                             HasSubstr("name = \"named\" but the folder is called renamed"),
                                             HasSubstr("the name 'twice' is taken")));
  auto strict = load_suite(folder_);
  ASSERT_FALSE(strict);
  EXPECT_THAT(strict.error().message, HasSubstr("taken by"));
}

TEST_F(SuiteFolder, AFolderWithoutTasksIsAnError) {
  auto suite = load_suite(folder_);
  ASSERT_FALSE(suite);
  EXPECT_THAT(suite.error().message, HasSubstr("holds no task"));
  EXPECT_FALSE(load_suite(folder_ / "nowhere"));
}

TEST(Names, BothSpellingsOfEveryCategory) {
  ASSERT_EQ(categories().size(), 15u);
  for (const CategoryName& c : categories()) {
    EXPECT_EQ(display_name(c.folder), c.display);
    EXPECT_EQ(folder_name(c.display), c.folder);
    EXPECT_EQ(folder_name(c.folder), c.folder);
    EXPECT_EQ(snake_case(c.display), c.folder);
  }
  EXPECT_EQ(display_name("my_own"), "MyOwn");
  EXPECT_FALSE(folder_name("my_own"));
}

}  // namespace
}  // namespace kbx::suite
