// compute-sanitizer's logs in the forms that its versions write; hostile names and lengths.
#include "gpu/sanitizer_log.h"

#include <gmock/gmock.h>

namespace kbx::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = SanitizerIssue::Kind;

TEST(CodePlace, IsReadInEveryForm) {
  struct Row { const char* text; const char* kernel; const char* file; int line; };
  for (const Row& r : {Row{"oob_kernel+0xd0 in candidate.py:4", "oob_kernel", "candidate.py", 4},
                       Row{"add(float *, int)+0x1b0 in /tmp/x/candidate.py:12", "add", "candidate.py", 12},
                       Row{"0x160 in /home/a/demo.cu:6:unaligned(void)", "unaligned", "demo.cu", 6},
                       Row{"0x00000160 in demo.cu:6:a::b(int *)", "a::b", "demo.cu", 6},
                       Row{"0x1b8 in kernel(float *, float *)", "kernel", "", 0},
                       Row{"kernel+0x40", "kernel", "", 0},
                       Row{"k+0x10 in a in b/c.py:9 [508 hazards]", "k", "c.py", 9},
                       Row{"", "", "", 0}, Row{" in ", "in", "", 0}, Row{"0x", "", "", 0}, Row{"k+0x1 in f:99999999999", "k", "f:99999999999", 0}}) {
    CodePlace p = parse_code_place(r.text);
    EXPECT_EQ(p.kernel, r.kernel) << r.text;
    EXPECT_EQ(p.file, r.file) << r.text;
    EXPECT_EQ(p.line, r.line) << r.text;
  }
}

TEST(SanitizerLog, MemcheckInItsCurrentForm) {
  auto log = parse_sanitizer_log(
      "========= COMPUTE-SANITIZER\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at oob_kernel+0xd0 in candidate.py:9\n"
      "=========     by thread (5,0,0) in block (2,1,0)\n"
      "=========     Access to 0x500004000000 is out of bounds\n"
      "=========     and is 33,554,433 bytes after the nearest allocation at 0x500000000000 of size 2,097,152 bytes\n"
      "=========\n"
      "========= Invalid __global__ write of size 4 bytes\n"
      "=========     at oob_kernel+0xd0 in candidate.py:9\n"
      "=========     by thread (6,0,0) in block (2,1,0)\n"
      "=========     Access to 0x500004000004 is out of bounds\n"
      "=========\n"
      "========= ERROR SUMMARY: 2 errors\n");
  ASSERT_EQ(log.issues.size(), 1u);
  const SanitizerIssue& i = log.issues[0];
  EXPECT_EQ(i.kind, Kind::access);
  EXPECT_TRUE(i.certain);
  EXPECT_EQ(i.what, "Invalid __global__ write of size 4 bytes");
  EXPECT_EQ(i.at.kernel, "oob_kernel");
  EXPECT_EQ(i.at.file, "candidate.py");
  EXPECT_EQ(i.at.line, 9);
  EXPECT_EQ(i.count, 2);
  EXPECT_THAT(i.thread, ElementsAre(5, 0, 0));
  EXPECT_THAT(i.block, ElementsAre(2, 1, 0));
  EXPECT_THAT(i.detail, HasSubstr("0x500004000000 is out of bounds and is 33,554,433 bytes after"));
  EXPECT_TRUE(log.complete);
  EXPECT_EQ(log.trouble, "");
}

TEST(SanitizerLog, MemcheckInItsOlderForms) {
  auto log = parse_sanitizer_log(
      "========= Invalid __shared__ read of size 8\n"
      "=========     at 0x00000048 in /home/u/demo.cu:6:unaligned_kernel(void)\n"
      "=========     by thread (0, 0, 0) in block (0, 0, 0)\n"
      "=========     Address 0x00000001 is misaligned\n"
      "========= Warp Out-of-range Address\n"
      "=========     at 0x90 in other_kernel(int *)\n"
      "========= ERROR SUMMARY: 2 errors\n");
  ASSERT_EQ(log.issues.size(), 2u);
  EXPECT_EQ(log.issues[0].at.line, 6);
  EXPECT_EQ(log.issues[0].at.kernel, "unaligned_kernel");
  EXPECT_THAT(log.issues[0].block, ElementsAre(0, 0, 0));
  EXPECT_EQ(log.issues[1].at.kernel, "other_kernel");
}

TEST(SanitizerLog, RacecheckErrorsAndWarnings) {
  auto log = parse_sanitizer_log(
      "========= COMPUTE-SANITIZER\n"
      "========= Error: Race reported between Write access at race_kernel+0x120 in candidate.py:11\n"
      "=========     and Read access at race_kernel+0x150 in candidate.py:13 [508 hazards]\n"
      "=========     and Write access at race_kernel+0x120 in candidate.py:11 [12 hazards]\n"
      "=========\n"
      "========= Warning: Race reported between Read access at 0xc8 in demo.cu:28:sum(int *)\n"
      "=========     and Write access at 0xd8 in demo.cu:30:sum(int *) [4 hazards]\n"
      "=========\n"
      "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
  ASSERT_EQ(log.issues.size(), 2u);
  EXPECT_EQ(log.issues[0].kind, Kind::hazard);
  EXPECT_TRUE(log.issues[0].certain);
  EXPECT_EQ(log.issues[0].what, "Race reported between Write and Read");
  EXPECT_EQ(log.issues[0].at.line, 11);
  EXPECT_EQ(log.issues[0].other.line, 13);
  EXPECT_EQ(log.issues[0].count, 520);
  EXPECT_FALSE(log.issues[1].certain);
  EXPECT_EQ(log.issues[1].at.line, 28);
  EXPECT_EQ(log.issues[1].other.line, 30);
  EXPECT_TRUE(log.complete);
}

TEST(SanitizerLog, RacecheckAsSingleHazards) {
  auto log = parse_sanitizer_log(
      "========= ERROR: Potential WAW hazard detected at __shared__ 0x0 in block (0, 0, 0) :\n"
      "=========     Write Thread (0, 0, 0) at 0x000000d0 in race.cu:18:WAW(void)\n"
      "=========     Write Thread (1, 0, 0) at 0x000000e0 in race.cu:19:WAW(void)\n"
      "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
  ASSERT_EQ(log.issues.size(), 1u);
  EXPECT_EQ(log.issues[0].what, "Potential WAW hazard detected at __shared__ 0x0 in block (0, 0, 0)");
  EXPECT_EQ(log.issues[0].at.line, 18);
  EXPECT_EQ(log.issues[0].other.line, 19);
}

TEST(SanitizerLog, Initcheck) {
  auto log = parse_sanitizer_log(
      "========= Uninitialized __global__ memory read of size 4 bytes\n"
      "=========     at uninit_k+0xd0 in race.py:4\n"
      "=========     by thread (31,0,0) in block (1,0,0)\n"
      "=========     Address 0x7f3c7ec000fc\n"
      "========= ERROR SUMMARY: 1 error\n");
  ASSERT_EQ(log.issues.size(), 1u);
  EXPECT_EQ(log.issues[0].kind, Kind::uninitialised);
  EXPECT_EQ(log.issues[0].at.line, 4);
}

TEST(SanitizerLog, AToolThatCouldNotWorkSaysWhy) {
  auto log = parse_sanitizer_log("========= COMPUTE-SANITIZER\n========= Error: Target application terminated before first instrumented API call\n");
  EXPECT_FALSE(log.complete);
  EXPECT_THAT(log.trouble, HasSubstr("terminated before"));
  EXPECT_FALSE(parse_sanitizer_log("").complete);
  EXPECT_TRUE(parse_sanitizer_log("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n").complete);
}

TEST(SanitizerLog, AReportThatIsCutShortIsKept) {
  auto log = parse_sanitizer_log("========= Invalid __global__ read of size 16 bytes\n=========     at k+0x10 in candidate.py:3");
  ASSERT_EQ(log.issues.size(), 1u);
  EXPECT_EQ(log.issues[0].at.line, 3);
  EXPECT_FALSE(log.complete);
}

TEST(SanitizerLog, IsBoundedWhateverItHolds) {
  std::string text;
  for (int k = 0; k < 5000; k++) text += "========= Invalid __global__ write of size " + std::to_string(k) + " bytes\n=========     at k+0x10 in candidate.py:3\n";
  EXPECT_EQ(parse_sanitizer_log(text).issues.size(), kMostIssues);
  std::string wide = "========= Invalid __global__ write of size 4 bytes\n=========     at " + std::string(3 << 20, '(') + "+0x1 in " + std::string(1 << 20, ':') + "\n";
  auto log = parse_sanitizer_log(wide + std::string(1000, '=') + "\n=========" + std::string(1 << 20, '\0'));
  ASSERT_EQ(log.issues.size(), 1u);
  EXPECT_LE(log.issues[0].at.kernel.size() + log.issues[0].at.file.size(), 1000u);
  auto evil = parse_sanitizer_log("========= Invalid __global__ write of size \x1b[2J bytes\n=========     by thread (99999999999999999999999,1,) in block (-1,0,0)\n");
  ASSERT_EQ(evil.issues.size(), 1u);
  EXPECT_EQ(evil.issues[0].what.find('\x1b'), std::string::npos);
  EXPECT_TRUE(evil.issues[0].block.empty());
}

}  // namespace
}  // namespace kbx::gpu
