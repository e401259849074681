// Kernels that are launched and were never compiled.
#include "eval/compile_stage.h"

#include <gmock/gmock.h>

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

TEST(NotCompiled, ALaunchOfAnotherKernelThanThoseOfTheCompileStageIsNotedOnce) {
  Compiled shown;
  shown.kernel = "shown_kernel";
  sandbox::Outcome out;
  out.steps.resize(2);
  for (auto& step : out.steps)
    for (const char* name : {"shown_kernel", "other_kernel"}) {
      Launch l;
      l.kernel = name;
      step.launches.push_back(l);
    }
  auto found = not_compiled({shown}, out);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, "not_compiled");
  EXPECT_EQ(found[0].severity, Severity::note);
  EXPECT_THAT(found[0].message, HasSubstr("other_kernel"));
  shown.kernel = "other_kernel";
  EXPECT_THAT(not_compiled({shown}, out).front().message, HasSubstr("shown_kernel"));
}

}  // namespace
}  // namespace kbx::eval
