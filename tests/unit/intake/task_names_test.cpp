// The ways in which people name a task.
#include "intake/task_names.h"

#include <gtest/gtest.h>

namespace kbx::intake {
namespace {

TaskNames names() {
  return TaskNames({{"relu", {}, {"relu"}},
                    {"AdamW", {"adamw_step"}, {"adamw_step", "AdamW"}},
                    {"softmax", {}, {"softmax"}},
                    {"index_fill_", {}, {"index_fill_"}},
                    {"fused_add_mean", {}, {"fused_add_mean"}}});
}

TEST(TaskNames, ResolvesTheWaysPeopleWriteThem) {
  TaskNames tasks = names();
  for (const char* text : {"relu", "Activation/relu.py", "activation/relu", "relu.py", "ReLU", "a\\b\\relu.py"}) {
    auto match = tasks.resolve(text);
    EXPECT_TRUE(match.known) << text;
    EXPECT_EQ(match.task, "relu") << text;
  }
  EXPECT_EQ(tasks.resolve("Optimizer/AdamW.py").task, "AdamW");
  EXPECT_EQ(tasks.resolve("adamw_step").task, "AdamW");
  EXPECT_EQ(tasks.resolve("fused-add-mean").task, "fused_add_mean");
}

TEST(TaskNames, AnUnknownTaskKeepsItsNameAndNamesTheNearest) {
  auto match = names().resolve("Math/softmx.py");
  EXPECT_FALSE(match.known);
  EXPECT_EQ(match.task, "softmx");
  EXPECT_EQ(match.message, "no task \"softmx\" in the suite; did you mean softmax?");
  EXPECT_EQ(names().resolve("qqqqqqqqqq").message, "no task \"qqqqqqqqqq\" in the suite");
}

TEST(TaskNames, AStemMayCarryWhatTellsSamplesApart) {
  TaskNames tasks = names();
  for (const char* stem : {"softmax", "softmax_3", "softmax_sample12", "softmax__no_max", "softmax.claude",
                           "softmax-v2", "softmax_v2", "Softmax@1"}) {
    const auto* task = tasks.from_stem(stem);
    ASSERT_NE(task, nullptr) << stem;
    EXPECT_EQ(task->name, "softmax");
  }
  EXPECT_EQ(tasks.from_stem("index_fill_")->name, "index_fill_");
  EXPECT_EQ(tasks.from_stem("index_fill__2")->name, "index_fill_");
  for (const char* stem : {"relu_bf16", "softmax_log", "log_softmax", "", "_", "x"})
    EXPECT_EQ(tasks.from_stem(stem), nullptr) << stem;
}

}  // namespace
}  // namespace kbx::intake
