// What a device tape says before it is played.
#include "eval/device_reading.h"

#include <gmock/gmock.h>

#include "base/hash.h"

namespace kbx::eval {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Bytes bytes_of(std::string_view text) {
  auto at = reinterpret_cast<const std::byte*>(text.data());
  return Bytes(at, at + text.size());
}

DeviceTape with_kernel(std::string origin, DeviceImage::Via via, std::string name, std::string data = "cubin") {
  DeviceTape t;
  t.base = kDeviceBaseFirst;
  t.bytes = 1 << 20;
  t.images.push_back({DeviceImage::Kind::elf, via, std::move(origin), bytes_of(data)});
  DeviceFunction f;
  f.name = std::move(name);
  t.functions.push_back(f);
  t.entries.push_back(DeviceLaunch{});
  return t;
}

TEST(DeviceReading, ATritonKernelIsTheCandidatesOwn) {
  auto r = read_device_tape(with_kernel("heap", DeviceImage::Via::module_data, "softmax_kernel"), {});
  EXPECT_TRUE(r.own_kernels);
  EXPECT_THAT(r.work, IsEmpty());
  EXPECT_THAT(r.flags, IsEmpty());
  EXPECT_EQ(r.why_not, "");
}

TEST(DeviceReading, NothingLaunchedIsFlagged) {
  DeviceTape t;
  EXPECT_THAT(read_device_tape(t, {}).flags, ElementsAre("tape: empty"));
}

TEST(DeviceReading, LibrariesAreNamedByTheFileTheyComeFrom) {
  struct Row {
    const char *origin, *kernel, *library;
    DeviceImage::Via via;
  };
  for (const Row& row : {Row{"/opt/torch/lib/libcublasLt.so.13", "nvjet_hsh", "cublas", DeviceImage::Via::library_data},
                         Row{"/opt/nvidia/cudnn/lib/libcudnn_engines_precompiled.so.9", "conv", "cudnn", DeviceImage::Via::library_data},
                         Row{"/x/libcusolver.so.12", "getrf", "cusolver", DeviceImage::Via::module_data},
                         Row{"/opt/torch/lib/libtorch_cuda.so", "_ZN2at6native_softmax_warp", "aten: _ZN2at6native_softmax_warp", DeviceImage::Via::library_data},
                         Row{"heap", "nvjet_tst", "a library's runtime kernel", DeviceImage::Via::library_data}}) {
    auto r = read_device_tape(with_kernel(row.origin, row.via, row.kernel), {});
    ASSERT_EQ(r.work.size(), 1u) << row.origin;
    EXPECT_EQ(r.work[0].library, row.library);
    EXPECT_FALSE(r.own_kernels) << row.origin;
    EXPECT_THAT(r.flags, Contains("tape: no kernel of its own")) << row.origin;
  }
}

TEST(DeviceReading, FillsAndCopiesOfAtenAreNoWork) {
  for (const char* name : {"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_", "_ZN2at6native19CatArrayBatchedCopyE",
                           "_ZN2at6native24direct_copy_kernel_cuda"})
    EXPECT_THAT(read_device_tape(with_kernel("/x/libtorch_cuda.so", DeviceImage::Via::library_data, name), {}).work, IsEmpty()) << name;
}

TEST(DeviceReading, AnImageThatIsNotInTheTritonCacheIsFlagged) {
  auto tape = with_kernel("heap", DeviceImage::Via::module_data, "k", "known");
  EXPECT_THAT(read_device_tape(tape, {sha256_hex("known")}).flags, IsEmpty());
  EXPECT_THAT(read_device_tape(tape, {sha256_hex("other")}).flags, ElementsAre("tape: an image that is not in its Triton cache"));
}

TEST(DeviceReading, WhatTheHostReadsAndWhatCannotBePlayedIsSaid) {
  auto tape = with_kernel("heap", DeviceImage::Via::module_data, "k");
  tape.entries.push_back(DeviceCopy{.kind = DeviceCopy::Kind::to_host, .from = tape.base, .columns = 4});
  tape.constants.push_back({tape.base, bytes_of("1234")});
  tape.streams = 2;
  tape.calls = {{"cuMemcpyDtoHAsync_v2", 1}, {"cuExternalThing", 1}, {"cuLaunchKernelEx", 1}};
  auto r = read_device_tape(tape, {});
  EXPECT_TRUE(r.host_read);
  EXPECT_EQ(r.why_not, "");
  EXPECT_THAT(r.flags, ElementsAre("tape: host read", "tape: constants", "tape: 2 streams", "tape: unhandled API cuExternalThing"));
  tape.trouble = {"cuGraphLaunch of a graph that cannot be read"};
  EXPECT_THAT(read_device_tape(tape, {}).why_not, HasSubstr("cuGraphLaunch"));
}

}  // namespace
}  // namespace kbx::eval
