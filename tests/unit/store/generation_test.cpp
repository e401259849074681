// What kbx run keeps beside its records: everything comes back, in order, and the last word on a slot or task counts.
#include "store/generation.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace kbx::store {
namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("kbx_generation_" + std::to_string(::getpid()));
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

CallRow call(const std::string& key, int slot) {
  CallRow r;
  r.key = key;
  r.id = {"softmax", "generator", 1, slot, 0};
  r.model = "m";
  r.prompt = "gen@12";
  r.request = std::string(64, 'a');
  r.result = {{"reply", {{"text", "x"}}}};
  r.replied = true;
  r.usage = {10, 4, 2, 7, 3, false};
  r.seconds = 1.5;
  r.finished = "2026-01-01T00:00:00Z";
  return r;
}

TEST(Generation, CallsAndEvaluationsShareOneOrderAndComeBackWhole) {
  Folder f;
  auto store = Store::open(f.path);
  ASSERT_TRUE(store);
  auto g = Generation::open(*store);
  ASSERT_TRUE(g);
  CallRow priced = call("k1", 0);
  priced.usd = 0.25;
  EXPECT_EQ(*g->append(priced), 1);
  EvaluationRow e;
  e.task = "softmax";
  e.round = 1;
  e.candidate = "softmax/1/0/0";
  e.code = std::string(64, 'b');
  e.from = priced.id;
  e.how = "fence";
  e.truncated = true;
  e.job = "j";
  e.feedback = {{"verdict", "correct"}};
  e.gpu_seconds = 0.5;
  EXPECT_EQ(*g->append(e), 2);
  EXPECT_EQ(*g->append(call("k2", 1)), 3);

  auto again = Generation::open(*store);  // numbers go on
  EXPECT_EQ(*again->append(call("k3", 2)), 4);
  std::vector<CallRow> calls;
  ASSERT_TRUE(again->each_call([&](const CallRow& r) {
    calls.push_back(r);
    return true;
  }));
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(calls[0].usd, 0.25);
  EXPECT_FALSE(calls[1].usd) << "no price is not a price of nothing";
  EXPECT_EQ(calls[1].id, call("", 1).id);
  EXPECT_EQ(calls[0].usage.reasoning, 3);
  EXPECT_EQ(calls[0].result, priced.result);
  std::vector<EvaluationRow> evaluations;
  ASSERT_TRUE(again->each_evaluation([&](const EvaluationRow& r) {
    evaluations.push_back(r);
    return true;
  }));
  ASSERT_EQ(evaluations.size(), 1u);
  EXPECT_EQ(evaluations[0].from, e.from);
  EXPECT_TRUE(evaluations[0].truncated);
  EXPECT_EQ(evaluations[0].feedback, e.feedback);
  EXPECT_EQ(evaluations[0].gpu_seconds, 0.5);
}

TEST(Generation, TheLastMemoryAndTheLastAnswerCount) {
  Folder f;
  auto store = Store::open(f.path);
  ASSERT_TRUE(store);
  auto g = Generation::open(*store);
  ASSERT_TRUE(g);
  MemoryRow m{"softmax", 0, 1, "softmax/0/1/0", "", "tile it", "", std::nullopt, {{"verdict", "wrong_value"}}, {{"softmax", "generator", 0, 1, 0}}};
  ASSERT_TRUE(g->append(m));
  m.reflection = "the mask is missing";
  m.judge_score = 6.5;
  ASSERT_TRUE(g->append(m));
  ASSERT_TRUE(g->append(AnswerRow{"softmax", "", "", "budget", {}, true}));
  ASSERT_TRUE(g->append(AnswerRow{"softmax", "softmax/0/1/0", "c", "executes", {"softmax/0/1/0"}, false}));
  auto memories = g->memories();
  ASSERT_TRUE(memories);
  ASSERT_EQ(memories->size(), 1u);
  EXPECT_EQ(memories->front().reflection, "the mask is missing");
  EXPECT_EQ(memories->front().judge_score, 6.5);
  EXPECT_EQ(memories->front().calls, m.calls);
  auto answers = g->answers();
  ASSERT_TRUE(answers);
  ASSERT_EQ(answers->size(), 1u);
  EXPECT_EQ(answers->front().why, "executes");
  EXPECT_FALSE(answers->front().cut_short);
  EXPECT_EQ(answers->front().samples.size(), 1u);
}

TEST(Generation, ARunOfEvalReadsAsEmpty) {
  Folder f;
  auto store = Store::open(f.path);
  ASSERT_TRUE(store);
  auto g = Generation::open_for_reading(*store);
  ASSERT_TRUE(g);
  EXPECT_TRUE(g->empty());
  EXPECT_TRUE(g->answers()->empty());
  EXPECT_TRUE(g->each_call([](const CallRow&) { return false; }));
}

}  // namespace
}  // namespace kbx::store
