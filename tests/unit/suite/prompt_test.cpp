// What a model is shown, and what it is not shown.
#include "suite/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/signature.h"
#include "suite/suite.h"

namespace kbx::suite {
namespace {

using testing::HasSubstr;
using testing::Not;

Task sample() {
  Task task;
  task.name = "softmax";
  task.category = "math";
  task.summary = "Softmax of a tensor along one dimension.";
  task.entry = *parse_signature("softmax(input: Tensor, dim: int) -> Tensor");
  task.contract = {"The result has the input's dtype."};
  task.allowed_library_ops = {"empty_like", "view"};
  Case c;
  c.name = "secret_case";
  c.args["input"].kind = ArgSpec::Kind::tensor;
  c.args["input"].tensor.shape = {7919, 1023};
  task.cases = {c};
  task.reference = "def softmax(input, dim):\n    return torch.softmax(input, dim)\n";
  return task;
}

TEST(Prompt, ShowsSignatureSummaryContractNumericsAndRules) {
  std::string text = prompt(sample());
  for (const char* part : {"# softmax (Math)", "def softmax(input: Tensor, dim: int) -> Tensor:",
                           "Softmax of a tensor along one dimension.", "- The result has the input's dtype.", "no TF32",
                           "@triton.jit", "empty_like, view", "Arguments must not be changed"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Prompt, LeaksNothingOfTheTests) {
  std::string text = prompt(sample());
  for (const char* secret : {"7919", "1023", "secret_case", "torch.softmax", "seed"})
    EXPECT_THAT(text, Not(HasSubstr(secret)));
}

TEST(Prompt, FollowsTheTask) {
  Task task = sample();
  task.tf32 = true;
  task.mutates = {"input"};
  task.quantized = true;
  task.oracle.kind = OracleKind::quantized;
  task.allowed_library_ops.clear();
  task.outlier.enabled = false;
  task.protocol = Task::Protocol::optimizer;
  std::string text = prompt(task);
  for (const char* part : {"may round their inputs to TF32", "judged afterwards: `input`", "No ready-made quantization",
                           "quantization scheme", "except allocation", "method `step()`"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(text, Not(HasSubstr("very large elements")));
}

TEST(Prompt, NoShippedTaskLeaksACaseNameWithItsShape) {
  auto suite = scan_suite(std::string(KBX_SOURCE_DIR) + "/suite");
  ASSERT_TRUE(suite) << suite.error().message;
  for (const Task& task : suite->suite.tasks) {
    std::string text = prompt(task);
    EXPECT_THAT(text, HasSubstr(task.summary)) << task.name;
    EXPECT_THAT(text, Not(HasSubstr("reference.py"))) << task.name;
    EXPECT_THAT(text, Not(HasSubstr("dist = "))) << task.name;
  }
}

}  // namespace
}  // namespace kbx::suite
