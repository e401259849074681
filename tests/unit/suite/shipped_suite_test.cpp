// The suite that ships with the project loads, and every case of it can be made into a call.
#include <gtest/gtest.h>

#include "suite/expression.h"
#include "suite/inputs.h"
#include "suite/suite.h"

namespace kbx::suite {
namespace {

const Suite& shipped() {
  static const auto* loaded = new Result<Suite>(load_suite(std::string(KBX_SOURCE_DIR) + "/suite"));
  EXPECT_TRUE(*loaded) << loaded->error().message;
  static const Suite none;
  return *loaded ? **loaded : none;
}

TEST(ShippedSuite, Loads) { EXPECT_FALSE(shipped().tasks.empty()); }

TEST(ShippedSuite, EveryCaseOfBothPhasesBecomesACallThatBindsToTheEntry) {
  for (const Task& task : shipped().tasks)
    for (const Case& c : task.cases)
      for (Phase phase : {Phase::standard, Phase::outlier}) {
        auto call = make_call(task, c, phase, 1);
        ASSERT_TRUE(call) << call.error().message;
        auto bound = bind(task.entry, *call);
        ASSERT_TRUE(bound) << task.name << ": " << bound.error().message;
        EXPECT_EQ(bound->size(), task.entry.parameters.size());
      }
}

TEST(ShippedSuite, CostIsPositiveOnEveryPerfSize) {
  for (const Task& task : shipped().tasks)
    for (const Case& c : task.perf) {
      auto call = outline_call(task, c);
      ASSERT_TRUE(call) << call.error().message;
      for (const std::string* formula : {&task.cost.bytes, &task.cost.flops}) {
        const std::string& text = *formula;
        auto value = evaluate(text, task.entry, *call);
        ASSERT_TRUE(value) << task.name << ", perf '" << c.name << "', " << text << ": " << value.error().message;
        EXPECT_GE(*value, formula == &task.cost.bytes ? 1 : 0) << task.name << ": " << text;
      }
    }
}

// A tape recorded with one size of the result is wrong for another.
TEST(ShippedSuite, ResultsWhoseSizeHangsOnAMaskHaveOneSizeAtAPerfSize) {
  int masks = 0;
  for (const Task& task : shipped().tasks) {
    if (task.oracle.kind != OracleKind::set) continue;
    for (const Case& c : task.perf)
      for (const auto& [name, arg] : c.args) {
        if (arg.kind != ArgSpec::Kind::tensor || arg.tensor.dtype != Dtype::boolean) continue;
        EXPECT_EQ(arg.tensor.dist, "chosen") << task.name << ", perf '" << c.name << "': " << name;
        masks++;
      }
  }
  EXPECT_GE(masks, 6);
}

}  // namespace
}  // namespace kbx::suite
