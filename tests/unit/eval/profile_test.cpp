// Which size is profiled, and the way of a tape through a scripted clock behind a fake ncu.
#include "eval/profile.h"

#include <gmock/gmock.h>

#include "../gpu/fake_tool.h"
#include "../gpu/scripted_clock.h"
#include "model/device_tape.h"

namespace kbx::eval {
namespace {

using gpu::testing::FakeTool;
using gpu::testing::ScriptedClock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProfileTape : public ::testing::Test {
 protected:
  ProfileTape() {
    small_.name = "small";
    large_.name = "large";
    PerfCall a, b;
    a.which = &large_;
    a.cost = CallCost{"large", 1e6, 0, ""};
    b.which = &small_;
    b.cost = CallCost{"small", 1e3, 0, ""};
    sizes_ = {a, b};
    DeviceTape tape;
    tape.base = kDeviceBaseFirst;
    tape.bytes = 1 << 20;
    tape.images.push_back({DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", Bytes(8)});
    DeviceFunction f;
    f.name = "k";
    tape.functions.push_back(f);
    tape.entries.push_back(DeviceLaunch{});
    bytes_ = dump_device_tape(tape);
  }
  Result<CandidateProfile> run(const std::string& tool_body) {
    ScriptedClock clock("hello()\nwhile True:\n    command, blob = receive()\n    send({'ok': True})\n");
    FakeTool fake("ncu", tool_body);
    CardConfig config;
    config.clock = clock.home();
    Task task;
    return profile_tape(fake.tool(), config, 0, task, sizes_[0], 1, bytes_);
  }
  Case small_, large_;
  std::vector<PerfCall> sizes_;
  Bytes bytes_;
};

constexpr const char* kTable =
    "metrics = option['metrics'].split(',')\n"
    "log.write('==PROF== Connected\\n')\n"
    "log.write(','.join('\"%s\"' % h for h in ['ID', 'Kernel Name', 'Block Size', 'Grid Size'] + metrics) + '\\n')\n"
    "log.write(','.join('\"%s\"' % h for h in ['', '', '', ''] + ['byte' if 'bytes' in m else '' for m in metrics]) + '\\n')\n"
    "log.write(','.join('\"%s\"' % h for h in ['0', 'k', '(1, 1, 1)', '(1, 1, 1)'] + ['750,000' for m in metrics]) + '\\n')";

TEST_F(ProfileTape, TheSizeThatMovesMostIsTakenUnlessOneIsNamed) {
  EXPECT_EQ((*profiled_size(sizes_, ""))->which->name, "large");
  EXPECT_EQ((*profiled_size(sizes_, "small"))->which->name, "small");
  auto none = profiled_size(sizes_, "middle");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("large, small"));
  EXPECT_FALSE(profiled_size({}, ""));
}

TEST_F(ProfileTape, HoldsTheBytesAgainstTheFormula) {
  auto p = run(kTable);
  ASSERT_TRUE(p) << p.error().text();
  ASSERT_EQ(p->kernels.size(), 1u);
  EXPECT_DOUBLE_EQ(*p->dram_bytes(), 1.5e6);
  EXPECT_DOUBLE_EQ(p->formula_bytes, 1e6);
  EXPECT_THAT(p->notes, IsEmpty());
}

TEST_F(ProfileTape, AMetricThatThisNcuHasNotIsLeftOut) {
  auto p = run(std::string("if 'tensor' in option['metrics']:\n    log.write('==ERROR== Failed to find metric sm__pipe\\n')\nelse:\n    ") +
               "metrics = option['metrics'].split(',')\n    log.write(','.join(['\"ID\"', '\"Kernel Name\"'] + ['\"%s\"' % m for m in metrics]) + '\\n' + ','.join(['\"0\"', '\"k\"'] + ['\"5\"'] * len(metrics)) + '\\n')");
  ASSERT_TRUE(p) << p.error().text();
  EXPECT_FALSE(p->kernels[0].tensor);
  EXPECT_TRUE(p->kernels[0].sm);
}

TEST_F(ProfileTape, ARefusalOfTheDriverIsAnErrorThatSaysWhatToDo) {
  auto p = run("log.write('==ERROR== ERR_NVGPUCTRPERM - no permission\\n')");
  ASSERT_FALSE(p);
  EXPECT_THAT(p.error().message, HasSubstr("RestrictProfilingToAdminUsers"));
}

}  // namespace
}  // namespace kbx::eval
