// The bytes of a device tape: what goes in comes out, and what cannot be is refused with a sentence.
#include "model/device_tape.h"

#include <gtest/gtest.h>

#include <functional>

namespace kbx {
namespace {

constexpr uint64_t kBase = 0x500000000000;

Bytes bytes_of(size_t n, int value) { return Bytes(n, std::byte(value)); }

// One of everything.
DeviceTape whole_tape() {
  DeviceTape t;
  t.base = kBase, t.bytes = 1 << 20;
  t.images = {{DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", bytes_of(100, 1)},
              {DeviceImage::Kind::fatbin, DeviceImage::Via::library_data, "/lib/libx.so", bytes_of(7, 2)}};
  t.functions = {{0, "kernel", 98304, 2, -1, -1, {{0, 8}, {8, 4}}}, {1, "other", -1, -1, 1, 50, {}}};
  t.streams = 2, t.events = 1, t.threads = 3;
  t.entries = {DeviceLaunch{0, {1, 2, 3}, {32, 1, 1}, 64, 1, 1, bytes_of(144, 3), bytes_of(12, 4)},
               DeviceFill{kBase + 512, 4, 0xdeadbeef, 4096, 10, 3, 0},
               DeviceCopy{DeviceCopy::Kind::to_device, kBase, 0, 8, 2, 100, 0, 0, bytes_of(16, 5)},
               DeviceCopy{DeviceCopy::Kind::on_device, kBase, kBase + 4096, 8, 1, 0, 0, 1, {}},
               DeviceCopy{DeviceCopy::Kind::to_host, 0, kBase, 8, 1, 0, 0, 0, {}},
               DeviceRecord{0, 1},
               DeviceWait{0, 0}};
  t.live = {{kBase, 4096}, {kBase + 8192, 0}};
  t.inputs = {{"input", Dtype::f16, {kBase, 4096}, 8, {4, 5}, {1, 4}}};
  t.outputs = {{"result[0]", Dtype::c128, {kBase + 4096, 4096}, 0, {}, {}},
               {"result[1]", Dtype::f32, {kBase, 16}, 0, {0, 9}, {9, 1}}};
  t.constants = {{kBase + 65536, bytes_of(33, 6)}};
  t.calls = {{"cuLaunchKernel", 2}, {"cuMemAlloc_v2", 1}};
  t.trouble = {"cuMemAlloc_v2"};
  return t;
}

Result<DeviceTape> reread(const DeviceTape& t) {
  Bytes b = dump_device_tape(t);
  return parse_device_tape(b.data(), b.size());
}

TEST(DeviceTape, EveryFieldComesBack) {
  DeviceTape t = whole_tape();
  auto again = reread(t);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(dump_device_tape(*again), dump_device_tape(t));
  EXPECT_EQ(again->threads, 3u);
  EXPECT_EQ(again->functions[0].parameters[1].size, 4u);
  EXPECT_EQ(again->functions[1].carveout, 50);
  EXPECT_EQ(std::get<DeviceLaunch>(again->entries[0]).grid[2], 3u);
  EXPECT_EQ(std::get<DeviceFill>(again->entries[1]).value, 0xdeadbeef);
  EXPECT_EQ(std::get<DeviceCopy>(again->entries[2]).data, bytes_of(16, 5));
  EXPECT_EQ(again->inputs[0].stride, (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(again->calls.at("cuLaunchKernel"), 2);
  EXPECT_EQ(again->trouble[0], "cuMemAlloc_v2");
}

TEST(DeviceTape, AnEmptyTapeIsOne) {
  DeviceTape t;
  t.base = kBase;
  EXPECT_TRUE(reread(t));
}

TEST(DeviceTape, LaunchesAreCounted) { EXPECT_EQ(whole_tape().launches(), 1u); }

TEST(DeviceTape, NoPrefixOfOneIsATape) {
  Bytes b = dump_device_tape(whole_tape());
  for (size_t n = 0; n < b.size(); n++) ASSERT_FALSE(parse_device_tape(b.data(), n)) << n;
}

TEST(DeviceTape, NothingMayFollow) {
  Bytes b = dump_device_tape(whole_tape());
  b.push_back(std::byte{0});
  auto r = parse_device_tape(b.data(), b.size());
  ASSERT_FALSE(r);
  EXPECT_NE(r.error().message.find("1 bytes follow"), std::string::npos);
}

TEST(DeviceTape, AnotherMagicIsNone) {
  Bytes b = dump_device_tape(whole_tape());
  b[7] = std::byte{'9'};
  EXPECT_FALSE(parse_device_tape(b.data(), b.size()));
}

// No single flipped byte may crash the reader or make it accept what its writer would not repeat.
TEST(DeviceTape, FlippedBytesAreReadOrRefused) {
  const Bytes b = dump_device_tape(whole_tape());
  for (size_t k = 0; k < b.size(); k++)
    for (int mask : {0x01, 0x80, 0xff}) {
      Bytes broken = b;
      broken[k] ^= std::byte(mask);
      if (auto t = parse_device_tape(broken.data(), broken.size())) ASSERT_TRUE(reread(*t)) << k;
    }
}

struct Refusal {
  const char* name;
  std::function<void(DeviceTape&)> spoil;
  const char* says;
};
class DeviceTapeRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(DeviceTapeRefuses, WithASentence) {
  DeviceTape t = whole_tape();
  GetParam().spoil(t);
  auto r = reread(t);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().code, Code::usage);
  EXPECT_NE(r.error().message.find(GetParam().says), std::string::npos) << r.error().message;
}

template <class T>
T& entry(DeviceTape& t, size_t k) {
  return std::get<T>(t.entries[k]);
}

INSTANTIATE_TEST_SUITE_P(
    All, DeviceTapeRefuses,
    testing::Values(
        Refusal{"BaseNotAligned", [](DeviceTape& t) { t.base += 4096; }, "impossible address"},
        Refusal{"BaseTooLow", [](DeviceTape& t) { t.base = kDeviceBaseFirst - kDeviceBaseAlign; },
                "impossible address"},
        Refusal{"BaseTooHigh", [](DeviceTape& t) { t.base = kDeviceBaseLast + kDeviceBaseAlign; },
                "impossible address"},
        Refusal{"ArenaTooLarge", [](DeviceTape& t) { t.bytes = kDeviceArenaBytes + 1; }, "too large"},
        Refusal{"NoStreams", [](DeviceTape& t) { t.streams = 0; }, "too many streams"},
        Refusal{"TooManyEvents", [](DeviceTape& t) { t.events = 1 << 20; }, "too many streams"},
        Refusal{"FunctionWithoutImage", [](DeviceTape& t) { t.functions[1].image = 2; }, "image that is not there"},
        Refusal{"HugeParameter", [](DeviceTape& t) { t.functions[0].parameters[0].size = 1 << 20; }, "64 KiB"},
        Refusal{"LaunchOfNothing", [](DeviceTape& t) { entry<DeviceLaunch>(t, 0).function = 2; }, "not there"},
        Refusal{"LaunchOnNoStream", [](DeviceTape& t) { entry<DeviceLaunch>(t, 0).stream = 2; }, "not there"},
        Refusal{"HalfAnAttribute", [](DeviceTape& t) { entry<DeviceLaunch>(t, 0).attributes.pop_back(); },
                "attributes"},
        Refusal{"TooManyAttributes", [](DeviceTape& t) { entry<DeviceLaunch>(t, 0).attributes = bytes_of(72 * 17, 0); },
                "attributes"},
        Refusal{"TooFewParameters", [](DeviceTape& t) { entry<DeviceLaunch>(t, 0).parameters.pop_back(); },
                "too few parameter"},
        Refusal{"FillOfThreeBytes", [](DeviceTape& t) { entry<DeviceFill>(t, 1).width = 3; }, "width"},
        Refusal{"FillPastTheEnd", [](DeviceTape& t) { entry<DeviceFill>(t, 1).rows = 1 << 10; }, "fill outside"},
        Refusal{"FillThatOverflows", [](DeviceTape& t) { entry<DeviceFill>(t, 1).columns = UINT64_MAX / 2; },
                "fill outside"},
        Refusal{"FillWhosePitchOverflows", [](DeviceTape& t) { entry<DeviceFill>(t, 1).pitch = UINT64_MAX; },
                "fill outside"},
        Refusal{"FillBelowTheArena", [](DeviceTape& t) { entry<DeviceFill>(t, 1).at = kBase - 1; }, "fill outside"},
        Refusal{"CopyToOutside", [](DeviceTape& t) { entry<DeviceCopy>(t, 3).to = 0; }, "copy to outside"},
        Refusal{"CopyFromOutside", [](DeviceTape& t) { entry<DeviceCopy>(t, 3).from = kBase + (1 << 20) - 7; },
                "copy from outside"},
        Refusal{"CopyOfNoKind", [](DeviceTape& t) { entry<DeviceCopy>(t, 3).kind = DeviceCopy::Kind(3); }, "no kind"},
        Refusal{"CopyWithoutItsBytes", [](DeviceTape& t) { entry<DeviceCopy>(t, 2).data.pop_back(); },
                "without its bytes"},
        Refusal{"HostReadFromOutside", [](DeviceTape& t) { entry<DeviceCopy>(t, 4).from = 8; }, "copy from outside"},
        Refusal{"RecordOfNoEvent", [](DeviceTape& t) { entry<DeviceRecord>(t, 5).event = 1; }, "event"},
        Refusal{"WaitOnNoStream", [](DeviceTape& t) { entry<DeviceWait>(t, 6).stream = 9; }, "event"},
        Refusal{"TensorOfNoDtype", [](DeviceTape& t) { t.inputs[0].dtype = Dtype(99); }, "no dtype"},
        Refusal{"StridesThatDoNotFit", [](DeviceTape& t) { t.inputs[0].stride.pop_back(); }, "strides"},
        Refusal{"InputOutside", [](DeviceTape& t) { t.inputs[0].storage.at = kBase - 4096; }, "an input lies outside"},
        Refusal{"OutputOutside", [](DeviceTape& t) { t.outputs[0].storage.bytes = 1 << 21; }, "an output lies outside"},
        Refusal{"TensorBeyondItsStorage", [](DeviceTape& t) { t.inputs[0].offset = 2048 - 16; }, "beyond its storage"},
        Refusal{"NegativeOffset", [](DeviceTape& t) { t.inputs[0].offset = -1; }, "negative offset"},
        Refusal{"NegativeStride", [](DeviceTape& t) { t.inputs[0].stride[0] = -1; }, "negative"},
        Refusal{"StrideThatOverflows", [](DeviceTape& t) { t.inputs[0].stride[0] = INT64_MAX; }, "overflows"},
        Refusal{"AllocationOutside", [](DeviceTape& t) { t.live[0].bytes = 1 << 21; }, "allocation outside"},
        Refusal{"ConstantOutside", [](DeviceTape& t) { t.constants[0].at = kBase + (1 << 20); }, "constant outside"}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace kbx
