// Files, folders and standard input through the loader.
#include "intake/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/files.h"

namespace kbx::intake {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const char* kCode = "import torch\n\ndef softmax(input, dim):\n    return input\n";

class LoadTest : public ::testing::Test {
 protected:
  LoadTest() : tasks_({{"softmax", {}, {"softmax"}}, {"relu", {}, {"relu"}}, {"AdamW", {}, {"adamw_step", "AdamW"}}}) {
    root_ = fs::temp_directory_path() / ("kbx_load_" + std::to_string(::getpid()));
    fs::create_directories(root_);
    options_.tasks = &tasks_;
  }
  ~LoadTest() override { fs::remove_all(root_); }

  std::string put(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    EXPECT_TRUE(write_file(root_ / name, text));
    return (root_ / name).string();
  }
  Loaded load_stdin(const std::string& text) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), ssize_t(text.size()));
    ::close(ends[1]);
    options_.stdin_fd = ends[0];
    Loaded out = load_all({"-"}, options_);
    ::close(ends[0]);
    return out;
  }
  static std::vector<std::string> ids(const Loaded& l) {
    std::vector<std::string> out;
    for (const auto& c : l.candidates) out.push_back(c.id);
    return out;
  }

  TaskNames tasks_;
  LoadOptions options_;
  fs::path root_;
};

TEST_F(LoadTest, APythonFileIsTakenByteForByte) {
  std::string odd = std::string("\n  # odd\r\n") + kCode;
  Loaded got = load_all({put("softmax.py", odd)}, options_);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_EQ(got.candidates[0].source, odd);
  EXPECT_EQ(got.candidates[0].how, "whole");
  EXPECT_EQ(got.candidates[0].id, "softmax.py");
  EXPECT_EQ(got.candidates[0].task, "softmax");
}

TEST_F(LoadTest, TheRulerCutsInEveryFormatAndMode) {
  std::string code = std::string(kCode) + std::string(146, '#') + "\ndef test_softmax():\n    pass\n";
  std::string json = "{\"task\":\"softmax\",\"predict\":\"import torch\\n" + std::string(146, '#') + "\\ntests\"}\n";
  std::vector<std::string> paths = {put("softmax.py", code), put("softmax.md", "```python\n" + code + "```\n"),
                                    put("a.jsonl", json)};
  for (auto mode : {ExtractMode::kbx, ExtractMode::upstream}) {
    options_.mode = mode;
    Loaded got = load_all(paths, options_);
    ASSERT_EQ(got.candidates.size(), 3u);
    for (const auto& c : got.candidates) {
      EXPECT_EQ(c.source.find("test"), std::string::npos) << c.id;
      EXPECT_TRUE(std::any_of(c.findings.begin(), c.findings.end(),
                              [](const Finding& f) { return f.rule == "published_tests_cut"; }))
          << c.id << " " << to_text(mode);
    }
  }
}

TEST_F(LoadTest, TheTaskComesFromFlagMarkStemOrFolder) {
  put("by_folder/relu/x.py", "# nothing\n");
  put("by_stem/softmax_2.py", kCode);
  put("by_mark/anything.py", std::string("# kbx-task: softmax\n# kbx-entry: my_softmax\n") + kCode);
  put("by_front/anything.md",
      std::string("---\ntask: relu\nentry: my_relu\n---\n```python\n") + "def my_relu(x):\n    return x\n```\n");
  put("by_html/anything.md", "<!-- kbx-task: relu -->\nno code here, only words\n");
  Loaded got = load_all({root_.string()}, options_);
  ASSERT_EQ(got.problems.size(), 0u);
  ASSERT_EQ(got.candidates.size(), 5u);
  EXPECT_EQ(got.candidates[0].task, "relu");
  EXPECT_EQ(got.candidates[0].id, "by_folder/relu/x.py");
  EXPECT_EQ(got.candidates[1].entry, "my_relu");
  EXPECT_EQ(got.candidates[1].source, "def my_relu(x):\n    return x\n");
  EXPECT_EQ(got.candidates[2].how, "none");
  EXPECT_EQ(got.candidates[3].task, "softmax");
  EXPECT_EQ(got.candidates[3].entry, "my_softmax");
  EXPECT_EQ(got.candidates[4].task, "softmax");
  options_.task = "AdamW";
  for (const auto& c : load_all({root_.string()}, options_).candidates) EXPECT_EQ(c.task, "AdamW");
}

TEST_F(LoadTest, AFileOfNoTaskIsAProblemThatSaysWhatToDo) {
  std::string good = put("relu.py", kCode), bad = put("sofmax.py", kCode);
  Loaded got = load_all({bad, good}, options_);
  EXPECT_EQ(got.candidates.size(), 1u);
  ASSERT_EQ(got.problems.size(), 1u);
  EXPECT_THAT(got.problems[0].text(), HasSubstr("sofmax.py: for which task?"));
  EXPECT_THAT(got.problems[0].reason, HasSubstr("did you mean softmax?"));
  EXPECT_THAT(got.problems[0].reason, HasSubstr("--task NAME"));
}

TEST_F(LoadTest, SamplesOfOneTaskAreCountedAndNeverCollide) {
  std::string lines;
  for (const char* task : {"softmax", "relu", "softmax", "Math/softmax.py"})
    lines += std::string("{\"file\":\"") + task + "\",\"predict\":\"x = 1\"}\n";
  std::string a = put("a/k.jsonl", lines), b = put("b/k.jsonl", lines);
  Loaded got = load_all({a, b}, options_);
  ASSERT_EQ(got.candidates.size(), 8u);
  std::set<std::string> unique;
  for (const auto& c : got.candidates) unique.insert(c.id);
  EXPECT_EQ(unique.size(), 8u);
  EXPECT_EQ(got.candidates[0].id, "k.jsonl:1");
  EXPECT_EQ(got.candidates[4].id, b + ":1");
  EXPECT_EQ(got.candidates[0].sample, 0);
  EXPECT_EQ(got.candidates[1].sample, 0);
  EXPECT_EQ(got.candidates[2].sample, 1);
  EXPECT_EQ(got.candidates[3].sample, 2);
  EXPECT_EQ(got.candidates[4].sample, 0);
}

TEST_F(LoadTest, GivenSampleNumbersAndIdsAreKept) {
  std::string path =
      put("k.jsonl",
          "{\"task\":\"relu\",\"predict\":\"\",\"sample\":5,\"id\":\"mine\"}\n{\"task\":\"relu\",\"predict\":\"\"}\n"
          "{\"task\":\"relu\",\"predict\":\"\",\"id\":\"mine\"}\n");
  Loaded got = load_all({path}, options_);
  EXPECT_THAT(ids(got), ElementsAre("mine", "k.jsonl:2", "k.jsonl:3"));
  EXPECT_EQ(got.candidates[0].sample, 5);
  EXPECT_EQ(got.candidates[1].sample, 6);
}

TEST_F(LoadTest, AnUnknownTaskIsDeliveredWithItsFinding) {
  Loaded got = load_all(
      {put("k.jsonl", "{\"file\":\"Math/softmx.py\",\"predict\":\"def softmx(x):\\n    return x\"}\n")}, options_);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_EQ(got.candidates[0].task, "softmx");
  ASSERT_EQ(got.candidates[0].findings.size(), 1u);
  EXPECT_EQ(got.candidates[0].findings[0].rule, "unknown_task");
  EXPECT_THAT(got.candidates[0].findings[0].message, HasSubstr("softmax"));
}

TEST_F(LoadTest, BadLinesKeepTheirPathAndNumber) {
  std::string path = put("k.jsonl", "{\"task\":\"relu\",\"predict\":\"\"}\nnonsense\n{\"predict\":\"\"}\n");
  Loaded got = load_all({path}, options_);
  EXPECT_EQ(got.candidates.size(), 1u);
  ASSERT_EQ(got.problems.size(), 2u);
  EXPECT_THAT(got.problems[0].text(), HasSubstr(path + ":2: not valid JSON"));
  EXPECT_EQ(got.problems[1].line, 3u);
}

TEST_F(LoadTest, FoldersAreSortedAndOtherFilesLeftAlone) {
  for (const char* name : {"softmax/b.py", "softmax/a.py", "softmax/README.md", "softmax/.hidden.py",
                           "softmax/__pycache__/a.py", "expected.toml", "relu.py"})
    put(name, kCode);
  EXPECT_THAT(ids(load_all({root_.string()}, options_)), ElementsAre("relu.py", "softmax/a.py", "softmax/b.py"));
}

TEST_F(LoadTest, WhatCannotBeReadIsAProblem) {
  fs::create_directories(root_ / "empty");
  Loaded got = load_all({"/nonexistent/x.py", (root_ / "empty").string(), put("x.ipynb", "{}")}, options_);
  ASSERT_EQ(got.problems.size(), 3u);
  EXPECT_EQ(got.problems[0].text(), "/nonexistent/x.py: no such file or folder");
  EXPECT_THAT(got.problems[1].reason, HasSubstr("holds no"));
  EXPECT_THAT(got.problems[2].reason, HasSubstr("not a candidate"));
}

TEST_F(LoadTest, StandardInputIsJsonLinesOrOneReply) {
  Loaded lines = load_stdin("{\"task\":\"relu\",\"predict\":\"\"}\n{\"task\":\"relu\",\"predict\":\"\"}\n");
  EXPECT_THAT(ids(lines), ElementsAre("stdin:1", "stdin:2"));
  options_.task = "softmax";
  Loaded reply = load_stdin(std::string("Here:\n```python\n") + kCode + "```\n");
  EXPECT_THAT(ids(reply), ElementsAre("stdin"));
  EXPECT_EQ(reply.candidates[0].source, kCode);
  EXPECT_EQ(load_stdin("  \n").problems[0].text(), "-: standard input is empty");
}

TEST_F(LoadTest, AMarkdownReplySavedAsPythonIsExtracted) {
  Loaded got = load_all({put("softmax.py", std::string("Sure, here it is:\n```python\n") + kCode + "```\n")}, options_);
  ASSERT_EQ(got.candidates.size(), 1u);
  EXPECT_EQ(got.candidates[0].source, kCode);
  EXPECT_EQ(got.candidates[0].findings.back().rule, "reply_in_source_file");
}

TEST_F(LoadTest, TheEntryOfARowIsATargetOfTheExtraction) {
  std::string json =
      "{\"task\":\"relu\",\"entry\":\"mine\",\"predict\":\"```python\\ndef mine(x):\\n    return "
      "x\\n```\\n```python\\ndef other(x):\\n    return x\\n```\"}\n";
  Loaded got = load_all({put("k.jsonl", json)}, options_);
  EXPECT_EQ(got.candidates[0].source, "def mine(x):\n    return x\n");
}

}  // namespace
}  // namespace kbx::intake
