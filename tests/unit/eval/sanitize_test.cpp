// From a tool's report to findings and charges, and the whole way through a scripted clock behind a fake tool.
#include "eval/sanitize.h"

#include <gmock/gmock.h>

#include "../gpu/fake_tool.h"
#include "../gpu/scripted_clock.h"
#include "model/device_tape.h"

namespace kbx::eval {
namespace {

using gpu::SanitizerCheck;
using gpu::SanitizerIssue;
using gpu::testing::FakeTool;
using gpu::testing::ScriptedClock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SanitizerIssue issue_at(SanitizerIssue::Kind kind, int line, const std::string& kernel = "k", const std::string& file = "candidate.py") {
  SanitizerIssue i;
  i.kind = kind;
  i.what = "Invalid __global__ write of size 4 bytes";
  i.at = {kernel, file, line};
  i.thread = {1, 0, 0};
  i.block = {7, 0, 0};
  i.count = 3;
  return i;
}

Sanitized read(SanitizerCheck check, std::vector<SanitizerIssue> issues) {
  Sanitized out;
  read_sanitizer_log(check, {std::move(issues), true, ""}, {"k"}, "rows", out);
  return out;
}

TEST(ReadSanitizerLog, AWrongAccessIsChargedWithItsLine) {
  auto s = read(SanitizerCheck::memcheck, {issue_at(SanitizerIssue::Kind::access, 9), issue_at(SanitizerIssue::Kind::access, 11)});
  ASSERT_EQ(s.findings.size(), 2u);
  EXPECT_EQ(s.findings[0].rule, "sanitizer_memcheck");
  EXPECT_EQ(s.findings[0].severity, Severity::reject);
  EXPECT_EQ(s.findings[0].layer, Layer::run);
  EXPECT_EQ(s.findings[0].line, 9);
  EXPECT_EQ(s.findings[0].place.count, 3);
  EXPECT_THAT(s.findings[0].place.program, ElementsAre(7, 0, 0));
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::illegal_memory_access);
  EXPECT_EQ(s.charges[0].line, 9);
  EXPECT_THAT(s.charges[0].explanation, HasSubstr("case rows"));
}

TEST(ReadSanitizerLog, UninitialisedReadsWarn) {
  auto s = read(SanitizerCheck::initcheck, {issue_at(SanitizerIssue::Kind::uninitialised, 4)});
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].severity, Severity::warn);
  EXPECT_THAT(s.charges, IsEmpty());
}

TEST(ReadSanitizerLog, ARaceIsChargedOnlyWhenTheToolIsSureAndBothLinesAreTheCandidates) {
  auto sure = issue_at(SanitizerIssue::Kind::hazard, 5);
  sure.other = {"k", "candidate.py", 6};
  auto s = read(SanitizerCheck::racecheck, {sure});
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::data_race);
  EXPECT_EQ(s.findings[0].place.other_line, 6);
  auto unsure = sure;
  unsure.certain = false;
  auto library = sure;
  library.other = {"k", "standard.py", 290};
  for (const SanitizerIssue& i : {unsure, library}) {
    auto w = read(SanitizerCheck::racecheck, {i});
    EXPECT_THAT(w.charges, IsEmpty());
    ASSERT_EQ(w.findings.size(), 1u);
    EXPECT_EQ(w.findings[0].severity, Severity::warn);
  }
}

TEST(ReadSanitizerLog, TrustedCodeIsPassedOverAndOtherFilesGiveNoLine) {
  auto s = read(SanitizerCheck::memcheck, {issue_at(SanitizerIssue::Kind::access, 3, "count_guard", "trusted.cu"), issue_at(SanitizerIssue::Kind::access, 290, "k", "standard.py")});
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].line, 0);
  EXPECT_THAT(s.findings[0].message, HasSubstr("standard.py:290"));
}

class SanitizeFlow : public ::testing::Test {
 protected:
  SanitizeFlow() {
    DeviceTape tape;
    tape.base = kDeviceBaseFirst;
    tape.bytes = 1 << 20;
    tape.live.push_back({tape.base, 4096});
    tape.images.push_back({DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", Bytes(8)});
    DeviceFunction f;
    f.name = "k";
    tape.functions.push_back(f);
    tape.entries.push_back(DeviceLaunch{});
    DeviceTensor x;
    x.name = "x";
    x.storage = {tape.base, 16};
    x.shape = {4};
    x.stride = {1};
    tape.inputs.push_back(x);
    bytes_ = dump_device_tape(tape);
    which_.name = "rows";
    inputs_.which = &which_;
    inputs_.call.args.push_back(Value::of_tensor(make_tensor(Dtype::f32, {4}, Bytes(16))));
    inputs_.names = {"x"};
  }
  Sanitized run(const ScriptedClock& clock, const FakeTool& fake) {
    CardConfig config;
    config.clock = clock.home();
    config.sanitizer = fake.tool();
    auto s = sanitize(config, 0, {bytes_, inputs_});
    EXPECT_TRUE(s) << s.error().text();
    return s ? *s : Sanitized{};
  }
  Bytes bytes_;
  Case which_;
  CaseTruth inputs_;
};

// Answers, and leaves a note of how it was asked to play.
constexpr const char* kPlays =
    "hello()\nwhile True:\n    command, blob = receive()\n"
    "    if command['do'] == 'inputs': assert command['inputs'][0]['name'] == 'x' and len(blob) == 16\n"
    "    if command['do'] == 'play': print('poison', command['poison'], flush=True)\n"
    "    send({'ok': True})\n";

constexpr const char* kReports =
    "log.write('========= COMPUTE-SANITIZER\\n')\n"
    "said = open(option['log-file'].replace('log', 'said')).read()\n"
    "assert ('poison False' in said) == (option['tool'] == 'initcheck')\n"
    "if option['tool'] == 'initcheck': log.write('========= Uninitialized __global__ memory read of size 4 bytes\\n=========     at k+0xd0 in /t/candidate.py:4\\n')\n"
    "log.write('========= ERROR SUMMARY: 1 error\\n')";

TEST_F(SanitizeFlow, EveryToolSeesThePlayAndItsReportComesBack) {
  ScriptedClock clock(kPlays);
  FakeTool fake("compute-sanitizer", kReports);
  Sanitized s = run(clock, fake);
  EXPECT_THAT(s.flags, ElementsAre("sanitized"));
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].rule, "sanitizer_initcheck");
  EXPECT_EQ(s.findings[0].line, 4);
  EXPECT_THAT(s.charges, IsEmpty());
}

TEST_F(SanitizeFlow, AFaultOfThePlayIsWhatTheToolWasAskedFor) {
  ScriptedClock clock("hello()\nwhile True:\n    command, blob = receive()\n    if command['do'] == 'play':\n        send({'ok': False, 'fault': 'device', 'message': 'error 719'})\n        sys.exit(3)\n    send({'ok': True})\n");
  FakeTool fake("compute-sanitizer", "if option['tool'] == 'memcheck': log.write('========= Invalid __global__ write of size 4 bytes\\n=========     at k+0x10 in candidate.py:9\\n')\nlog.write('========= ERROR SUMMARY: 1 error\\n')");
  Sanitized s = run(clock, fake);
  ASSERT_EQ(s.charges.size(), 1u);
  EXPECT_EQ(s.charges[0].verdict, Verdict::illegal_memory_access);
  EXPECT_THAT(s.flags, ElementsAre(HasSubstr("not sanitized: racecheck: device: error 719"), HasSubstr("not sanitized: initcheck: device")));
}

TEST_F(SanitizeFlow, AToolThatCannotWorkIsAFlagAndNothingIsCharged) {
  ScriptedClock clock(kPlays);
  FakeTool fake("compute-sanitizer", "", "with open(option['log-file'], 'w') as log: log.write('========= Error: Target application terminated before first instrumented API call\\n')\nsys.exit(1)\n");
  Sanitized s = run(clock, fake);
  EXPECT_EQ(s.flags.size(), 3u);
  EXPECT_THAT(s.flags[0], HasSubstr("terminated before first"));
  EXPECT_THAT(s.charges, IsEmpty());
  EXPECT_THAT(s.findings, IsEmpty());
}

}  // namespace
}  // namespace kbx::eval
