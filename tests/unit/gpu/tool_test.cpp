// Finding NVIDIA's tools, the words they are called with, and a clock process behind one.
#include "gpu/tool.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "base/files.h"
#include "fake_tool.h"
#include "gpu/private_folder.h"
#include "scripted_clock.h"

namespace kbx::gpu {
namespace {

using testing::FakeTool;
using testing::ScriptedClock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kEcho = "hello()\nwhile True:\n    command, blob = receive()\n    send({\"ok\": True, \"did\": command[\"do\"]})\n";

TEST(FindTool, LooksInTheNamedFolderAndAsksItsVersion) {
  FakeTool fake("ncu", "");
  auto tool = find_tool("ncu", fake.folder());
  ASSERT_TRUE(tool) << tool.error().text();
  EXPECT_EQ(tool->path, fake.folder() + "/ncu");
  EXPECT_EQ(tool->version, "2025.3.1.0");
}

TEST(FindTool, SaysWhereItLooked) {
  auto there = find_tool("ncu", "/nonexistent");
  ASSERT_FALSE(there);
  EXPECT_EQ(there.error().code, Code::usage);
  EXPECT_THAT(there.error().message, HasSubstr("/nonexistent"));
  auto nowhere = find_tool("kbx-no-such-tool", "");
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().message, HasSubstr("CUDA toolkit"));
}

TEST(FindTool, ReadsPathAndCudaHome) {
  FakeTool fake("kbx-test-tool", "");
  std::string old = std::getenv("PATH");
  ::setenv("PATH", (old + ":" + fake.folder()).c_str(), 1);
  EXPECT_TRUE(find_tool("kbx-test-tool", ""));
  ::setenv("PATH", old.c_str(), 1);
  EXPECT_FALSE(find_tool("kbx-test-tool", ""));
}

TEST(ToolWords, NameTheToolTheLogAndNothingOfTheCandidatesThatIsNoIdentifier) {
  Tool tool{"compute-sanitizer", "/cuda/compute-sanitizer", "1"};
  auto words = sanitizer_words(tool, SanitizerCheck::racecheck, "/tmp/log");
  EXPECT_EQ(words[0], "/cuda/compute-sanitizer");
  EXPECT_THAT(words, ::testing::Contains("racecheck"));
  EXPECT_THAT(words, ::testing::Contains("/tmp/log"));
  auto profile = profiler_words({"ncu", "/cuda/ncu", "1"}, {"a", "b"}, {"good_1", "evil)|.*(", "--help", "_Z3fooPf"}, "/tmp/log");
  EXPECT_THAT(profile, ::testing::Contains("a,b"));
  EXPECT_EQ(profile.back(), "regex:^(good_1|_Z3fooPf)$");
  EXPECT_NE(profiler_words({"ncu", "/cuda/ncu", "1"}, {"a"}, {"evil)|.*("}, "/tmp/log").back(), "regex:^()$");
}

ClockHome behind(const ScriptedClock& clock, const FakeTool& fake, const std::string& folder) {
  ClockHome home = clock.home();
  home.wrap = {fake.tool().path, "--log-file", folder + "/log"};
  home.wrap_output = folder + "/said";
  return home;
}

TEST(ClockBehindATool, SpeaksThoughNoDescriptorIsInheritedAndTheLogIsWhole) {
  ScriptedClock clock(kEcho);
  FakeTool fake("tool", "time.sleep(0.2)\nlog.write('ended with %d' % code)");
  auto folder = PrivateFolder::make("kbx-test");
  ASSERT_TRUE(folder);
  auto process = ClockProcess::start(behind(clock, fake, folder->path().string()), 2);
  ASSERT_TRUE(process) << process.error().text();
  auto card = (*process)->ready();
  ASSERT_TRUE(card) << card.error().text();
  EXPECT_EQ(card->uuid, "GPU-2");
  auto answer = (*process)->ask({{"do", "memory"}});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(get_string(answer->head, "did"), "memory");
  EXPECT_TRUE((*process)->finish(10));
  EXPECT_FALSE((*process)->alive());
  EXPECT_EQ(read_file(folder->path() / "log").value_or(""), "ended with 0");
  EXPECT_THAT(read_file(folder->path() / "said").value_or(""), HasSubstr("words of the target"));
}

TEST(ClockBehindATool, MayStillWriteItsLogAfterADeadContext) {
  ScriptedClock clock("hello()\nreceive()\nsend({\"ok\": False, \"fault\": \"device\", \"message\": \"error 719\"})\nsys.exit(3)\n");
  FakeTool fake("tool", "time.sleep(0.2)\nlog.write('ended with %d' % code)");
  auto folder = PrivateFolder::make("kbx-test");
  ASSERT_TRUE(folder);
  auto process = ClockProcess::start(behind(clock, fake, folder->path().string()), 0);
  ASSERT_TRUE(process);
  auto answer = (*process)->ask({{"do", "play"}});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->fault(), "device");
  EXPECT_FALSE((*process)->alive());
  EXPECT_TRUE((*process)->finish(10));
  EXPECT_EQ(read_file(folder->path() / "log").value_or(""), "ended with 3");
}

TEST(ClockBehindATool, AToolThatStartsNothingIsAnErrorAtOnce) {
  ScriptedClock clock(kEcho);
  FakeTool fake("tool", "", "sys.exit(1)\n");
  auto folder = PrivateFolder::make("kbx-test");
  ASSERT_TRUE(folder);
  auto process = ClockProcess::start(behind(clock, fake, folder->path().string()), 0);
  ASSERT_TRUE(process);
  auto card = (*process)->ready(30);
  ASSERT_FALSE(card);
  EXPECT_THAT(card.error().message, HasSubstr("ended at once"));
}

TEST(ClockBehindATool, AToolThatDoesNotLeaveIsKilled) {
  ScriptedClock clock(kEcho);
  FakeTool fake("tool", "time.sleep(60)");
  auto folder = PrivateFolder::make("kbx-test");
  ASSERT_TRUE(folder);
  auto process = ClockProcess::start(behind(clock, fake, folder->path().string()), 0);
  ASSERT_TRUE(process);
  ASSERT_TRUE((*process)->ready());
  EXPECT_FALSE((*process)->finish(0.3));
}

TEST(PrivateFolder, IsOfThisUserAloneAndGoesAwayWithItsFiles) {
  std::filesystem::path path;
  {
    auto folder = PrivateFolder::make("kbx-test");
    ASSERT_TRUE(folder);
    path = folder->path();
    struct stat facts {};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700u);
    std::ofstream(path / "file") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace kbx::gpu
