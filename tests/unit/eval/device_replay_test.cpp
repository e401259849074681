// A candidate's recorded cases on a clock that follows a script: right, wrong, lying, refusing.
#include "eval/device_replay.h"

#include <gmock/gmock.h>

#include <cstring>

#include "../gpu/scripted_clock.h"
#include "eval/tape_inputs.h"
#include "model/device_tape.h"
#include "suite/signature.h"

namespace kbx::eval {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Value floats(std::vector<float> v) {
  Bytes bytes(v.size() * 4);
  std::memcpy(bytes.data(), v.data(), bytes.size());
  return Value::of_tensor(make_tensor(Dtype::f32, {int64_t(v.size())}, std::move(bytes)));
}

DeviceTape tape_of_one_kernel() {
  DeviceTape t;
  t.base = kDeviceBaseFirst;
  t.bytes = 1 << 20;
  t.images.push_back({DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", Bytes(16)});
  DeviceFunction f;
  f.name = "double_kernel";
  t.functions.push_back(f);
  t.entries.push_back(DeviceLaunch{});
  t.live = {{t.base, 512}, {t.base + 1024, 512}};
  t.inputs.push_back({"input", Dtype::f32, {t.base, 16}, 0, {4}, {1}});
  t.outputs.push_back({"result", Dtype::f32, {t.base + 1024, 16}, 0, {4}, {1}});
  return t;
}

// The task is y = 2 x. `play`: python, the clock's answer to a play from the bytes of the input, `x` as floats.
struct Scene {
  Task task;
  Case which;
  TaskTruth truth, unseen;
  std::vector<size_t> places{0};
  sandbox::Outcome out;
  DeviceTape tape = tape_of_one_kernel();

  Scene() {
    task.name = "double";
    task.entry = *parse_entry();
    which.name = "only";
    truth.cases.push_back(case_of({1, 2, 3, 4}));
    unseen.cases.push_back(case_of({5, -6, 7, 8}));
  }
  static Result<Signature> parse_entry() { return suite::parse_signature("double(input)"); }
  CaseTruth case_of(std::vector<float> x) {
    CaseTruth c;
    c.which = &which;
    c.phase = "standard";
    c.call.args = {floats(x)};
    c.names = {"input"};
    std::vector<float> y;
    std::vector<double> wide;
    for (float v : x) y.push_back(2 * v), wide.push_back(2.0 * v);
    Bytes bytes(wide.size() * 8);
    std::memcpy(bytes.data(), wide.data(), bytes.size());
    CaseTruth::Root root;
    root.eager = floats(y);
    root.truth = Value::of_tensor(make_tensor(Dtype::f64, {int64_t(wide.size())}, std::move(bytes)));
    c.roots["result"] = root;
    return c;
  }

  DeviceReplayed run(const std::string& play) {
    sandbox::StepResult step;
    step.answered = step.ok = true;
    step.result = floats({2, 4, 6, 8});
    step.device_tape = dump_device_tape(tape);
    out.steps = {step};
    if (places.size() > 1) out.steps.push_back(step);
    if (library_in_the_second) {
      DeviceTape other = tape;
      other.images[0].origin = library;
      out.steps[1].device_tape = dump_device_tape(other);
    }
    gpu::testing::ScriptedClock scripted(R"(
def outputs(y, **more):
    blob = struct.pack("<%df" % len(y), *y)
    send({"ok": True, "outputs": [{"name": "result", "dtype": "f32", "shape": [len(y)], "at": 0, "bytes": len(blob)}], **more}, blob)
hello()
while True:
    command, blob = receive()
    if command["do"] == "inputs":
        assert command["inputs"] == [{"name": "input", "at": 0, "bytes": 16}], command
        x = struct.unpack("<4f", blob)
    if command["do"] == "load": loaded = blob
    if command["do"] != "play": send({"ok": True})
    else:
        )" + play + "\n");
    auto clock = gpu::ClockProcess::start(scripted.home(), 0);
    EXPECT_TRUE(clock.has_value());
    auto result = DeviceReplay(task, truth, unseen, places, [&]() -> Result<gpu::ClockProcess*> { return clock->get(); }).run(out);
    error = result ? "" : result.error().text();
    return result ? std::move(*result) : DeviceReplayed();
  }
  std::string error;
  bool library_in_the_second = false;
  std::string library = "/x/libcublas.so.12";
};

TEST(DeviceReplay, RightOnUnseenInputsIsReplayed) {
  Scene s;
  auto r = s.run("outputs([2 * v for v in x])");
  EXPECT_EQ(s.error, "");
  EXPECT_THAT(r.charges, IsEmpty());
  EXPECT_THAT(r.flags, ElementsAre("replayed"));
  ASSERT_EQ(r.findings.size(), 1u);
  EXPECT_THAT(r.findings[0].message, HasSubstr("seal"));
}

TEST(DeviceReplay, TheAnswerOfTheRecordedCallIsDelegated) {
  Scene s;
  auto r = s.run("outputs([2.0, 4.0, 6.0, 8.0])");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(r.charges[0].explanation, HasSubstr("other inputs"));
  EXPECT_THAT(r.flags, Not(Contains("replayed")));
}

TEST(DeviceReplay, PoisonIsNoResult) {
  Scene s;
  auto r = s.run("outputs([float('nan')] * 4)");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
}

TEST(DeviceReplay, AWriteOutsideEveryTensorIsChargedThoughTheValuesAreRight) {
  Scene s;
  auto r = s.run("outputs([2 * v for v in x], guard_words=3, guard_at='16 bytes past input')");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::illegal_memory_access);
  EXPECT_THAT(r.charges[0].explanation, HasSubstr("3 words outside every tensor were written, first 16 bytes past input"));
}

TEST(DeviceReplay, ATapeThatTheClockRefusesStaysInProcess) {
  Scene s;
  auto r = s.run("send({'ok': False, 'fault': 'device', 'message': 'error 700'})");
  EXPECT_THAT(r.charges, IsEmpty());
  EXPECT_THAT(r.flags, ElementsAre("in_process: the tape does not play: device: error 700"));
}

TEST(DeviceReplay, AfterAHostReadOnlyTheRecordedInputsCount) {
  Scene s;
  DeviceCopy read;
  read.kind = DeviceCopy::Kind::to_host;
  read.from = s.tape.base;
  read.columns = 4;
  s.tape.entries.insert(s.tape.entries.begin(), read);
  auto honest = s.run("outputs([2.0, 4.0, 6.0, 8.0])");
  EXPECT_THAT(honest.charges, IsEmpty());
  EXPECT_THAT(honest.flags, ElementsAre("tape: host read", "in_process: the host decides by values of the device"));
  auto empty = s.run("outputs([0.0] * 4)");
  ASSERT_EQ(empty.charges.size(), 1u);
  EXPECT_EQ(empty.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(empty.charges[0].explanation, HasSubstr("the same inputs"));
}

// To decide a size or a scalar the host needs no bulk: then the tape must be right by itself.
TEST(DeviceReplay, AReadInBulkExcusesNothing) {
  Scene s;
  DeviceCopy read;
  read.kind = DeviceCopy::Kind::to_host;
  read.from = s.tape.base;
  read.columns = 16;
  read.rows = 257;
  s.tape.entries.insert(s.tape.entries.begin(), read);
  auto r = s.run("outputs([2.0, 4.0, 6.0, 8.0])");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(r.charges[0].explanation, HasSubstr("other inputs"));
}

TEST(DeviceReplay, EveryRecordedCaseIsPlayedAndReadForLibraries) {
  Scene s;
  s.truth.cases.push_back(s.case_of({1, 2, 3, 4}));
  s.unseen.cases.push_back(s.case_of({5, -6, 7, 8}));
  s.places = {0, 1};
  EXPECT_THAT(s.run("outputs([2 * v for v in x])").findings.front().message, HasSubstr("2 calls played again"));
  s.library_in_the_second = true;
  // Less than the first tape is the second without its only launch.
  auto r = s.run("outputs([2 * v for v in x] if len(loaded) >= " + std::to_string(dump_device_tape(s.tape).size()) + " else [0.0] * 4)");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(r.flags, Not(Contains("replayed")));
}

TEST(DeviceReplay, ALaterCaseMayBeNothingButACopy) {
  Scene s;
  s.truth.cases.push_back(s.case_of({1, 2, 3, 4}));
  s.unseen.cases.push_back(s.case_of({5, -6, 7, 8}));
  s.places = {0, 1};
  s.library_in_the_second = true;
  s.tape.functions[0].name = "_ZN2at6native24direct_copy_kernel_cuda";
  s.library = "/x/libtorch_cuda.so";
  auto r = s.run("outputs([2 * v for v in x])");
  EXPECT_THAT(r.charges, IsEmpty());
  EXPECT_THAT(r.flags, Contains("replayed"));
}

// Beside the candidate's own kernel, one of ATen's.
Scene scene_with_library(const char* kernel) {
  Scene s;
  s.tape.images.push_back({DeviceImage::Kind::elf, DeviceImage::Via::library_data, "/x/libtorch_cuda.so", Bytes(16)});
  DeviceFunction f;
  f.image = 1;
  f.name = kernel;
  s.tape.functions.push_back(f);
  DeviceLaunch launch;
  launch.function = 1;
  s.tape.entries.push_back(launch);
  return s;
}
std::string only_whole(const Scene& s, const char* else_play) {
  return "outputs([2 * v for v in x] if len(loaded) == " + std::to_string(dump_device_tape(s.tape).size()) + " else " + else_play + ")";
}

TEST(DeviceReplay, WhatIsWrongWithoutTheKernelsOfLibrariesIsDelegated) {
  Scene s = scene_with_library("_ZN2at6native15exp_kernel_cuda");
  s.task.allowed_library_ops = {"empty", "random_"};
  auto r = s.run(only_whole(s, "[float('nan')] * 4"));
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(r.charges[0].explanation, HasSubstr("on the card: aten: _ZN2at6native15exp_kernel_cuda; without them: "));
  EXPECT_EQ(s.run(only_whole(s, "sys.exit(1)")).charges.size(), 1u);
}

TEST(DeviceReplay, KernelsOfLibrariesThatTheResultDoesNotNeedAreNoWork) {
  Scene s = scene_with_library("_ZN2at6native15abs_kernel_cuda");  // of a tensor that was printed, say
  EXPECT_THAT(s.run("outputs([2 * v for v in x])").charges, IsEmpty());
  EXPECT_EQ(s.run("send({'ok': False, 'fault': 'device', 'message': 'error 700'})").charges.size(), 1u);  // where that cannot be told
  DeviceCopy read;
  read.kind = DeviceCopy::Kind::to_host;
  read.from = s.tape.base;
  read.columns = 4;
  s.tape.entries.insert(s.tape.entries.begin(), read);
  // Wrong on other inputs, which the host's reading excuses, and not to be played on the same ones.
  auto r = s.run("plays = globals().get('plays', 0) + 1; outputs([0.0] * 4) if plays == 1 else send({'ok': False, 'fault': 'device', 'message': 'error 700'})");
  EXPECT_EQ(r.charges.size(), 1u);
  EXPECT_THAT(r.flags, Contains(HasSubstr("error 700")));
}

TEST(DeviceReplay, KernelsOfOperatorsThatTheTaskAllowsStay) {
  Scene s = scene_with_library("_ZN2at6native28_DistributionRandomKernel_cu");
  s.task.allowed_library_ops = {"empty", "random_"};
  EXPECT_THAT(s.run(only_whole(s, "[float('nan')] * 4")).charges, IsEmpty());
}

TEST(DeviceReplay, LibrariesAreDelegatedUnlessTheTaskAllowsTheirWork) {
  Scene s;
  s.tape.images[0].origin = "/x/libcublas.so.12";
  auto r = s.run("outputs([2 * v for v in x])");
  ASSERT_EQ(r.charges.size(), 1u);
  EXPECT_EQ(r.charges[0].verdict, Verdict::delegated);
  EXPECT_THAT(r.flags, Contains("tape: library cublas"));
  s.task.allowed_library_ops = {"empty", "sum", "copy_"};
  EXPECT_EQ(s.run("outputs([2 * v for v in x])").charges.size(), 1u);
}

TEST(DeviceReplay, WithoutATapeTheReasonIsKept) {
  Scene s;
  s.tape.trouble = {"cuLaunchHostFunc"};
  EXPECT_THAT(s.run("outputs([])").flags, Contains("in_process: cuLaunchHostFunc"));
  sandbox::StepResult step;
  step.device_trouble = "the recorder is not there";
  s.out.steps = {step};
  auto r = DeviceReplay(s.task, s.truth, s.unseen, s.places, []() -> Result<gpu::ClockProcess*> { return fail(Code::internal, "not asked"); }).run(s.out);
  ASSERT_TRUE(r);
  EXPECT_THAT(r->flags, ElementsAre("in_process: the recorder is not there"));
}

TEST(DeviceReplay, AClockThatDiesWithTheTapeOnTheCardSaysSomethingOfTheTape) {
  Scene s;
  auto r = s.run("sys.exit(1)");
  EXPECT_EQ(s.error, "");
  EXPECT_THAT(r.flags, Contains(HasSubstr("in_process: the tape does not play: the clock on card 0 ended")));
}

TEST(PlayedOutputs, LiesOfAClockAreErrorsNotReads) {
  auto said = [](const std::string& outputs, size_t bytes) {
    gpu::ClockProcess::Answer a;
    a.head = {{"ok", true}, {"outputs", *parse_json(outputs)}};
    a.blob = Bytes(bytes);
    return played_outputs(a).has_value();
  };
  EXPECT_TRUE(said(R"([{"name": "result", "dtype": "f32", "shape": [2], "at": 8, "bytes": 8}])", 16));
  EXPECT_TRUE(said(R"([{"name": "result", "dtype": "f32", "shape": [0, 7], "at": 0, "bytes": 0}])", 0));
  for (const char* lie : {R"([{"name": "result", "dtype": "f32", "shape": [2], "at": 12, "bytes": 8}])", R"([{"name": "result", "dtype": "f32", "shape": [2], "at": -8, "bytes": 8}])",
                          R"([{"name": "result", "dtype": "f32", "shape": [3], "at": 0, "bytes": 8}])", R"([{"name": "result", "dtype": "f32", "shape": [-2], "at": 0, "bytes": -8}])",
                          R"([{"name": "result", "dtype": "f31", "shape": [2], "at": 0, "bytes": 8}])", R"([{"name": "result", "dtype": "f32", "shape": "2", "at": 0, "bytes": 8}])",
                          R"([{"name": "result", "dtype": "f32", "shape": [2], "at": 17, "bytes": 0}])", R"("none")", R"([7])"})
    EXPECT_FALSE(said(lie, 16)) << lie;
}

TEST(PlayedOutputs, ResultsKeepTheirOrderAndChangedArgumentsTheirNames) {
  gpu::ClockProcess::Answer a;
  a.head = {{"outputs", *parse_json(R"([{"name": "result[0]", "dtype": "u8", "shape": [1], "at": 2, "bytes": 1}, {"name": "running_mean", "dtype": "u8", "shape": [2], "at": 0, "bytes": 2},
                                        {"name": "result[1]", "dtype": "u8", "shape": [1], "at": 3, "bytes": 1}])")}};
  a.blob = {std::byte(1), std::byte(2), std::byte(3), std::byte(4)};
  auto step = played_outputs(a);
  ASSERT_TRUE(step) << step.error().text();
  ASSERT_EQ(step->result.items.size(), 2u);
  EXPECT_EQ((*step->result.items[0].tensor.storage)[0], std::byte(3));
  EXPECT_EQ((*step->result.items[1].tensor.storage)[0], std::byte(4));
  EXPECT_EQ(step->mutated.count("running_mean"), 1u);
}

TEST(PackInputs, HoldsWhatTheTapeReadsAndNothingElse) {
  Scene s;
  CaseTruth c = s.case_of({1, 2, 3, 4});
  c.call.args.push_back(floats({9, 9}));
  c.call.args.push_back(floats({3}));
  c.names = {"unused", "input", "other"};
  DeviceTape tape = tape_of_one_kernel();
  tape.inputs.push_back(tape.inputs[0]);
  tape.inputs[1].name = "other";
  Bytes blob(3);
  Json list = pack_inputs(c, tape, blob);
  EXPECT_EQ(list, Json::parse(R"([{"name": "input", "at": 3, "bytes": 8}, {"name": "other", "at": 11, "bytes": 4}])"));
  EXPECT_EQ(blob.size(), 15u);
}

}  // namespace
}  // namespace kbx::eval
