// The shipped sample: every candidate is loaded without a problem and has its line in expected.toml, and the reverse.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/files.h"
#include "base/text.h"
#include "intake/load.h"

namespace kbx::intake {
namespace {

// id -> task of samples/expected.toml: a flat list of tables with one `key = "value"` a line.
std::map<std::string, std::string> expected() {
  auto text = read_file(std::string(KBX_SOURCE_DIR) + "/samples/expected.toml");
  EXPECT_TRUE(text);
  std::map<std::string, std::string> out;
  std::string id;
  for (const auto& line : split_lines(text ? *text : "")) {
    auto value = [&] { return line.substr(line.find('"') + 1, line.rfind('"') - line.find('"') - 1); };
    if (starts_with(line, "id = ")) id = value();
    if (starts_with(line, "task = ")) out[id] = value();
  }
  return out;
}

TEST(Samples, EveryCandidateIsLoadedForItsTaskAndExpected) {
  auto want = expected();
  std::set<std::string> tasks;
  std::vector<KnownTask> known;
  for (const auto& [id, task] : want)
    if (tasks.insert(task).second) known.push_back({task, {}, {task == "AdamW" ? "adamw_step" : task}});
  TaskNames names(known);
  LoadOptions options;
  options.tasks = &names;
  Loaded got = load_all({std::string(KBX_SOURCE_DIR) + "/samples"}, options);
  for (const auto& p : got.problems) ADD_FAILURE() << p.text();
  for (const auto& c : got.candidates) {
    EXPECT_EQ(want.count(c.id), 1u) << c.id << " is not in expected.toml";
    EXPECT_EQ(want[c.id], c.task) << c.id;
  }
  EXPECT_EQ(got.candidates.size(), want.size());
  EXPECT_GE(got.candidates.size(), 44u);
  EXPECT_GE(tasks.size(), 16u);
}

TEST(Samples, OnlyTheRefusalHasNoCodeAndOnlyTheCutReplyIsTruncated) {
  TaskNames names;
  LoadOptions options;
  options.tasks = &names;
  options.task = "any";
  std::set<std::string> empty, cut;
  for (const auto& c : load_all({std::string(KBX_SOURCE_DIR) + "/samples"}, options).candidates) {
    if (c.source.empty()) empty.insert(c.id);
    if (c.truncated) cut.insert(c.id);
  }
  EXPECT_EQ(empty, std::set<std::string>{"chat_model.jsonl:8"});
  EXPECT_EQ(cut, std::set<std::string>{"chat_model.jsonl:13"});
}

}  // namespace
}  // namespace kbx::intake
