// The supervisor's side of a clock process: whatever the other side does, there is an answer or an error, in time.
#include "gpu/clock_process.h"

#include <gmock/gmock.h>

#include "scripted_clock.h"

namespace kbx::gpu {
namespace {

using testing::ScriptedClock;
using ::testing::HasSubstr;

TEST(ClockProcess, AnswersCommandsWithTheirBytes) {
  ScriptedClock clock("hello()\nwhile True:\n    command, blob = receive()\n    send({\"ok\": True, \"did\": command[\"do\"]}, blob[::-1])\n");
  auto process = ClockProcess::start(clock.home(), 3);
  ASSERT_TRUE(process) << process.error().text();
  auto card = (*process)->ready();
  ASSERT_TRUE(card) << card.error().text();
  EXPECT_EQ(card->name, "Scripted");
  EXPECT_EQ(card->uuid, "GPU-3");
  EXPECT_EQ(card->cc, 90);
  Bytes blob(1 << 20, std::byte{7});
  blob[0] = std::byte{1};
  auto answer = (*process)->ask({{"do", "load"}}, blob);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->ok());
  EXPECT_EQ(get_string(answer->head, "did"), "load");
  ASSERT_EQ(answer->blob.size(), blob.size());
  EXPECT_EQ(answer->blob.back(), std::byte{1});
}

TEST(ClockProcess, SaysWhyACardCannotBeUsed) {
  ScriptedClock clock("send({\"fatal\": {\"message\": \"there is no NVRTC\", \"hint\": \"install it\"}})\n");
  auto process = ClockProcess::start(clock.home(), 0);
  ASSERT_TRUE(process);
  auto card = (*process)->ready();
  ASSERT_FALSE(card);
  EXPECT_THAT(card.error().message, HasSubstr("there is no NVRTC"));
  EXPECT_THAT(card.error().message, HasSubstr("install it"));
  EXPECT_FALSE((*process)->alive());
}

TEST(ClockProcess, AFaultIsAnAnswerAndADeadContextEndsTheProcess) {
  ScriptedClock clock("hello()\nreceive()\nsend({\"ok\": False, \"fault\": \"image\", \"message\": \"no such kernel\"})\nreceive()\n"
                      "send({\"ok\": False, \"fault\": \"device\", \"message\": \"error 700\"})\ntime.sleep(9)\n");
  auto process = ClockProcess::start(clock.home(), 0);
  ASSERT_TRUE(process);
  auto first = (*process)->ask({{"do", "load"}});
  ASSERT_TRUE(first) << first.error().text();
  EXPECT_EQ(first->fault(), "image");
  EXPECT_TRUE((*process)->alive());
  auto second = (*process)->ask({{"do", "play"}});
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_EQ(second->fault(), "device");
  EXPECT_EQ(second->message(), "error 700");
  EXPECT_FALSE((*process)->alive());
}

struct Breakage {
  const char* name;
  const char* body;
  double seconds;
  const char* says;
};
class Broken : public ::testing::TestWithParam<Breakage> {};

TEST_P(Broken, IsAnErrorAndTheProcessIsGone) {
  ScriptedClock clock(GetParam().body);
  auto process = ClockProcess::start(clock.home(), 0);
  ASSERT_TRUE(process);
  auto answer = (*process)->ask({{"do", "time"}}, {}, GetParam().seconds);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::sandbox);
  EXPECT_THAT(answer.error().text(), HasSubstr(GetParam().says));
  EXPECT_FALSE((*process)->alive());
  EXPECT_FALSE((*process)->ask({{"do", "time"}}));
}

INSTANTIATE_TEST_SUITE_P(All, Broken,
                         ::testing::Values(Breakage{"DiesAtOnce", "sys.exit(1)\n", 5, "ended"}, Breakage{"DiesInACommand", "hello()\nreceive()\nsys.exit(1)\n", 5, "ended"},
                                           Breakage{"IsSilent", "hello()\nreceive()\ntime.sleep(9)\n", 0.3, "in time"},
                                           Breakage{"LiesAboutItsMagic", "hello()\nreceive()\nsend({}, magic=b\"XXXX\")\n", 5, "protocol"},
                                           Breakage{"ClaimsTooMuch", "hello()\nreceive()\nsock.sendall(b\"KBXC\" + struct.pack(\"<IQ\", 1 << 31, 0))\n", 5, "protocol"},
                                           Breakage{"SendsHalfAnAnswer", "hello()\nreceive()\nsock.sendall(b\"KBXC\" + struct.pack(\"<IQ\", 100, 0) + b\"{\")\n", 5, "ended"},
                                           Breakage{"SendsNoJson", "hello()\nreceive()\nsock.sendall(b\"KBXC\" + struct.pack(\"<IQ\", 3, 0) + b\"{{{\")\ntime.sleep(9)\n", 5, ""}),
                         [](const auto& p) { return p.param.name; });

TEST(ClockProcess, AProgramThatIsNotThereIsAnError) {
  auto process = ClockProcess::start({"/nonexistent/kbx-clock", "", ""}, 0);
  ASSERT_FALSE(process);
  EXPECT_THAT(process.error().message, HasSubstr("/nonexistent/kbx-clock"));
}

}  // namespace
}  // namespace kbx::gpu
