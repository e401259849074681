// A profile for people and for programs.
#include "report/profile_text.h"

#include <gmock/gmock.h>

namespace kbx::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CandidateProfile two_launches() {
  CandidateProfile p;
  p.candidate = "softmax.py";
  p.task = "softmax";
  p.size = "large";
  p.gpu = "NVIDIA H200";
  p.tool = "ncu 2025.3.1";
  p.formula_bytes = 2e6;
  KernelProfile k;
  k.kernel = "softmax_kernel";
  k.grid = k.block = "(1, 1, 1)";
  k.us = 10;
  k.read_bytes = 1e6;
  k.written_bytes = 5e5;
  k.registers = 32;
  p.kernels = {k, k};
  p.kernels[1].us = 20;
  return p;
}

TEST(ProfileText, LaunchesOfOneKernelStandInOneRowWithTheirMean) {
  std::string text = profile_text(two_launches());
  EXPECT_THAT(text, HasSubstr("softmax.py · softmax at size large"));
  EXPECT_THAT(text, HasSubstr("15.0"));
  EXPECT_EQ(text.find("softmax_kernel"), text.rfind("softmax_kernel"));
}

TEST(ProfileText, TheBytesOfAllLaunchesAreHeldAgainstTheFormula) {
  EXPECT_THAT(profile_text(two_launches()), HasSubstr("(x1.50)"));
  EXPECT_DOUBLE_EQ(profile_json(two_launches())["ratio"].get<double>(), 1.5);
}

TEST(ProfileText, WhatWasNotCountedIsNeverANumber) {
  CandidateProfile p = two_launches();
  p.kernels[1].read_bytes.reset();
  EXPECT_THAT(profile_text(p), HasSubstr("not counted for every kernel"));
  EXPECT_THAT(profile_text(p), Not(HasSubstr("(x")));
  Json j = profile_json(p);
  EXPECT_TRUE(j["ratio"].is_null());
  EXPECT_TRUE(j["kernels"][0]["l2_hit_percent"].is_null());
  p = two_launches();
  p.formula_bytes = 0;
  EXPECT_THAT(profile_text(p), HasSubstr("no formula"));
}

}  // namespace
}  // namespace kbx::report
