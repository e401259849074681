// A size where eager is off: the clock follows a script, the reference is real and runs in float64.
#include "eval/size_appeal.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include "../gpu/scripted_clock.h"
#include "suite/signature.h"

namespace kbx::eval {
namespace {

using ::testing::HasSubstr;

// The task is y = sum of x, and x = (1e8, 1, -1e8): float32 one by one gives 0, the truth is 1.
struct SizeAppealTest : testing::Test {
  void SetUp() override {
    sandbox::PythonHome home;
    home.python = KBX_SOURCE_DIR "/.venv/bin/python";
    home.worker_folder = KBX_BINARY_DIR "/share/kbx/worker";
    home.library = KBX_BINARY_DIR "/lib/libkbxworker.so";
    if (const char* python = ::getenv("KBX_PYTHON")) home.python = python;
    for (const std::string& path : {home.python, home.worker_folder, home.library})
      if (::access(path.c_str(), R_OK) != 0) GTEST_SKIP() << "no " << path;
    auto started = sandbox::ForkServer::start(home);
    ASSERT_TRUE(started) << started.error().text();
    server = std::move(*started);
    task.name = "total";
    task.entry = *suite::parse_signature("total(input)");
    task.reference = "import torch\n\n\ndef total(input):\n    return input.sum()\n";
    which.name = "large";
    size.which = &which;
    size.names = {"input"};
    size.call.args = {Value::of_tensor({Dtype::f32, {3}, {}, 0, nullptr})};
    size.drawn = {{"input", {}}};
    size.cost = CallCost{"large", 12, 3, "f32"};
  }
  Heard hear(const std::string& total, const std::string& name = "input") {
    gpu::testing::ScriptedClock scripted(R"(
hello()
while True:
    command, blob = receive()
    if command["do"] == "play": send({"ok": True, "outputs": [{"name": "result", "dtype": "f32", "shape": [], "at": 0, "bytes": 4}]}, struct.pack("<f", )" + total + R"())
    elif command["do"] == "read": send({"ok": True, "inputs": [{"name": ")" + name + R"(", "at": 0, "bytes": 12}]}, struct.pack("<3f", 1e8, 1, -1e8))
    else: send({"ok": True})
)");
    auto clock = gpu::ClockProcess::start(scripted.home(), 0);
    EXPECT_TRUE(clock.has_value());
    return SizeAppeal(*server, task, config, size).hear(**clock, 0, "candidate");
  }

  std::unique_ptr<sandbox::ForkServer> server;
  EvalConfig config;
  Task task;
  Case which;
  PerfCall size;
};

TEST_F(SizeAppealTest, TheTruthOnTheClocksOwnInputsDecides) {
  EXPECT_EQ(hear("1.0").said, Heard::Said::right);
  Heard wrong = hear("7.0");
  EXPECT_EQ(wrong.said, Heard::Said::wrong);
  EXPECT_THAT(wrong.why, HasSubstr("expected 1, got 7"));
}

TEST_F(SizeAppealTest, NothingIsSaidWhereSomethingIsMissing) {
  EXPECT_EQ(hear("1.0", "other").said, Heard::Said::nothing);
  task.reference = "def total(input):\n    raise ValueError('too large')\n";
  EXPECT_EQ(hear("7.0").said, Heard::Said::nothing);
}

// What is not returned is not taken from the reference's own answer.
TEST_F(SizeAppealTest, ATapeWithoutOutputsIsWrong) {
  gpu::testing::ScriptedClock scripted(R"(
hello()
while True:
    command, blob = receive()
    if command["do"] == "play": send({"ok": True, "outputs": []})
    elif command["do"] == "read": send({"ok": True, "inputs": [{"name": "input", "at": 0, "bytes": 12}]}, struct.pack("<3f", 1e8, 1, -1e8))
    else: send({"ok": True})
)");
  auto clock = gpu::ClockProcess::start(scripted.home(), 0);
  ASSERT_TRUE(clock.has_value());
  Heard heard = SizeAppeal(*server, task, config, size).hear(**clock, 0, "candidate");
  EXPECT_EQ(heard.said, Heard::Said::wrong);
  EXPECT_EQ(heard.why, "0 tensors of the result were played, 1 were returned");
}

TEST_F(SizeAppealTest, ATapeThatDoesNotPlayIsTheCandidates) {
  gpu::testing::ScriptedClock scripted(R"(
hello()
while True:
    command, blob = receive()
    send({"ok": False, "fault": "device", "message": "error 700"} if command["do"] == "play" else {"ok": True})
)");
  auto clock = gpu::ClockProcess::start(scripted.home(), 0);
  ASSERT_TRUE(clock.has_value());
  Heard heard = SizeAppeal(*server, task, config, size).hear(**clock, 0, "candidate");
  EXPECT_EQ(heard.said, Heard::Said::unplayable);
  EXPECT_EQ(heard.why, "device: error 700");
}

TEST_F(SizeAppealTest, LargeSizesAreNotForTheHost) {
  SizeAppeal appeal(*server, task, config, size);
  EXPECT_TRUE(appeal.possible());
  size.cost->bytes = 100 << 20;
  EXPECT_TRUE(appeal.possible());
  task.oracle.kind = OracleKind::statistical;
  EXPECT_FALSE(appeal.possible());
  size.cost->bytes = 50 << 20;
  EXPECT_TRUE(appeal.possible());
  size.cost->flops = 1e12;
  EXPECT_FALSE(appeal.possible());
  size.cost.reset();
  EXPECT_FALSE(appeal.possible());
}

}  // namespace
}  // namespace kbx::eval
