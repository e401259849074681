// Launches, code and memory: calls of the driver as CUPTI shows them -> a tape that the supervisor's reader accepts.
#include "adapter_fixture.h"

namespace kbx::probe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(AdapterTest, ALaunchIsRecordedWithItsBytes) {
  recorder.start(nullptr);
  launch(function, input, output, 77);
  DeviceTape tape = stop();
  ASSERT_EQ(tape.entries.size(), 1u);
  auto& l = entry<DeviceLaunch>(tape, 0);
  EXPECT_THAT(l.grid, ElementsAre(2, 3, 4));
  EXPECT_THAT(l.block, ElementsAre(128, 1, 1));
  EXPECT_EQ(l.shared, 64u);
  EXPECT_EQ(word(l.parameters, 0), input);
  EXPECT_EQ(word(l.parameters, 8), output);
  EXPECT_EQ(int(l.parameters[16]), 77);
  EXPECT_EQ(tape.functions.at(0).name, "gelu");
  EXPECT_EQ(tape.images.at(0).data, elf);
  EXPECT_EQ(tape.images.at(0).origin, "heap");
  EXPECT_EQ(tape.calls.at("cuLaunchKernel"), 1);
  EXPECT_THAT(tape.trouble, IsEmpty());
  EXPECT_EQ(tape.bytes, output + 4096 + kRedzone - kBase);
}

TEST_F(AdapterTest, NothingIsRecordedOutside) {
  launch(function, input, output);
  recorder.start(nullptr);
  DeviceTape tape = stop();
  EXPECT_THAT(tape.entries, IsEmpty());
  EXPECT_THAT(tape.images, IsEmpty());
  EXPECT_THAT(tape.calls, IsEmpty());
}

TEST_F(AdapterTest, AFailedLoadIsForgotten) {
  load(handle(50), elf.data(), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(recorder.handles().images(), 1u);
}

TEST_F(AdapterTest, ImagesOnTheHeapAreCopiedWhenTheyAreLoaded) {
  Bytes was = elf;
  std::fill(elf.begin(), elf.end(), std::byte{0});
  recorder.start(nullptr);
  launch(function, input, output);
  EXPECT_EQ(stop().images.at(0).data, was);
}

TEST_F(AdapterTest, TwoLaunchesOfOneFunctionShareIt) {
  recorder.start(nullptr);
  launch(function, input, output);
  launch(function, output, output);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.functions.size(), 1u);
  EXPECT_EQ(tape.launches(), 2u);
}

TEST_F(AdapterTest, AttributesOfAFunctionAreThoseAtItsLaunch) {
  leave(CUPTI_DRIVER_TRACE_CBID_cuFuncSetAttribute, "cuFuncSetAttribute",
        cuFuncSetAttribute_params{as<CUfunction>(function), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 98304});
  leave(CUPTI_DRIVER_TRACE_CBID_cuFuncSetCacheConfig, "cuFuncSetCacheConfig",
        cuFuncSetCacheConfig_params{as<CUfunction>(function), CU_FUNC_CACHE_PREFER_SHARED});
  recorder.start(nullptr);
  launch(function, input, output);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.functions.at(0).dynamic_shared, 98304);
  EXPECT_EQ(tape.functions.at(0).cache_config, int(CU_FUNC_CACHE_PREFER_SHARED));
  EXPECT_EQ(tape.functions.at(0).carveout, -1);
}

TEST_F(AdapterTest, AKernelCastToAFunctionLeadsToItsLibrary) {
  Handle library = handle(20), kernel = handle(21), cast = handle(22);
  CUlibrary made = as<CUlibrary>(library);
  cuLibraryLoadData_params loaded{};
  loaded.library = &made, loaded.code = elf.data();
  leave(CUPTI_DRIVER_TRACE_CBID_cuLibraryLoadData, "cuLibraryLoadData", loaded);
  CUkernel k = as<CUkernel>(kernel);
  leave(CUPTI_DRIVER_TRACE_CBID_cuLibraryGetKernel, "cuLibraryGetKernel", cuLibraryGetKernel_params{&k, made, "fill"});
  CUfunction f = as<CUfunction>(cast);
  leave(CUPTI_DRIVER_TRACE_CBID_cuKernelGetFunction, "cuKernelGetFunction", cuKernelGetFunction_params{&f, k});
  cuKernelSetAttribute_params set{};
  set.attrib = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, set.val = 50000, set.kernel = k;
  leave(CUPTI_DRIVER_TRACE_CBID_cuKernelSetAttribute, "cuKernelSetAttribute", set);
  recorder.start(nullptr);
  launch(kernel, input, output);
  launch(cast, input, output);
  DeviceTape tape = stop();
  ASSERT_EQ(tape.functions.size(), 1u);
  EXPECT_EQ(tape.functions[0].name, "fill");
  EXPECT_EQ(tape.functions[0].dynamic_shared, 50000);
  EXPECT_EQ(tape.images.at(0).via, DeviceImage::Via::library_data);
}

TEST_F(AdapterTest, CodeThatWasNotSeenIsTrouble) {
  recorder.start(nullptr);
  launch(handle(99), input, output);
  DeviceTape tape = stop();
  EXPECT_THAT(tape.entries, IsEmpty());
  EXPECT_THAT(tape.trouble, ElementsAre(HasSubstr("symbol was loaded in a way that was not seen")));
}

TEST_F(AdapterTest, AFunctionOfUnknownMakingIsItsOnlyNamesake) {
  uint64_t a = input, b = output;
  int n = 0;
  void* values[] = {&a, &b, &n};
  auto nameless = [&](Handle f) {
    lookup.names[f] = "gelu";
    recorder.start(nullptr);
    enter(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel",
          cuLaunchKernel_params{as<CUfunction>(f), 1, 1, 1, 32, 1, 1, 0, nullptr, values, nullptr});
    return stop();
  };
  EXPECT_EQ(nameless(handle(60)).images.at(0).data, elf);
  load(handle(61), elf.data());
  name(handle(62), handle(61), "gelu");
  EXPECT_THAT(nameless(handle(63)).trouble, ElementsAre(HasSubstr("gelu was loaded in a way that was not seen")));
}

TEST_F(AdapterTest, AnUnloadedModulesFunctionsAreForgotten) {
  recorder.start(nullptr);
  launch(function, input, output);
  recorder.stop();
  leave(CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, "cuModuleUnload", cuModuleUnload_params{as<CUmodule>(module)});
  recorder.start(nullptr);
  launch(function, input, output);
  EXPECT_THAT(stop().trouble, ElementsAre(HasSubstr("not seen")));
  Bytes other = elf;
  other.back() = std::byte{9};
  load(module, other.data());
  name(function, module, "second");
  recorder.start(nullptr);
  launch(function, input, output);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.functions.at(0).name, "second");
  EXPECT_EQ(tape.images.at(0).data, other);
}

TEST_F(AdapterTest, AnOldDriverIsTrouble) {
  lookup.parameters_why = "too old";
  recorder.start(nullptr);
  launch(function, input, output);
  EXPECT_THAT(stop().trouble, ElementsAre("too old"));
}

TEST_F(AdapterTest, LaunchAttributesAndPackedParameters) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config{};
  config.gridDimX = 8, config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1,
  config.blockDimX = 32;
  config.attrs = &attribute, config.numAttrs = 1;
  struct {
    uint64_t a, b;
    int n;
  } packed{input, output, 3};
  size_t size = 20;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx",
        cuLaunchKernelEx_params{&config, as<CUfunction>(function), nullptr, extra});
  DeviceTape tape = stop();
  auto& l = entry<DeviceLaunch>(tape, 0);
  ASSERT_EQ(l.attributes.size(), sizeof attribute);
  EXPECT_EQ(std::memcmp(l.attributes.data(), &attribute, sizeof attribute), 0);
  EXPECT_EQ(word(l.parameters, 8), output);
  EXPECT_EQ(l.parameters.size(), 20u);
}

TEST_F(AdapterTest, AttributesThatNameEventsAreTrouble) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
  CUlaunchConfig config{};
  config.attrs = &attribute, config.numAttrs = 1;
  uint64_t a = input, b = output;
  int n = 0;
  void* values[] = {&a, &b, &n};
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, "cuLaunchKernelEx",
        cuLaunchKernelEx_params{&config, as<CUfunction>(function), values, nullptr});
  EXPECT_THAT(stop().trouble, ElementsAre(HasSubstr("events")));
}

TEST_F(AdapterTest, CooperativeLaunches) {
  uint64_t a = input, b = output;
  int n = 0;
  void* values[] = {&a, &b, &n};
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel",
        cuLaunchCooperativeKernel_params{as<CUfunction>(function), 1, 1, 1, 32, 1, 1, 0, nullptr, values});
  EXPECT_EQ(entry<DeviceLaunch>(stop(), 0).cooperative, 1u);
}

TEST_F(AdapterTest, TheThreadsTwinIsAnotherStream) {
  recorder.start(nullptr);
  launch(function, input, output, 1, nullptr, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
  launch(function, input, output);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.streams, 2u);
  EXPECT_EQ(entry<DeviceLaunch>(tape, 0).stream, 1u);
  EXPECT_EQ(entry<DeviceWait>(tape, 2).stream, 0u);
}

TEST_F(AdapterTest, MemoryFromBeforeTheCallIsTakenBeforeIt) {
  uint64_t table = arena.allocate(256);
  recorder.start(nullptr);
  launch(function, input, table);
  recorder.stop();
  lookup.content = std::byte{1};
  recorder.snapshot();
  lookup.content = std::byte{2};
  recorder.start(nullptr);
  launch(function, input, table);
  DeviceTape tape = stop();
  ASSERT_EQ(tape.constants.size(), 1u);
  EXPECT_EQ(tape.constants[0].at, table);
  EXPECT_EQ(tape.constants[0].data, Bytes(256, std::byte{1}));
  EXPECT_EQ(tape.calls.count("kbx: constants read after the call"), 0u);
}

TEST_F(AdapterTest, WhatTheDryRunDidNotTouchIsNoted) {
  uint64_t table = arena.allocate(256);
  recorder.start(nullptr);
  recorder.stop();
  recorder.snapshot();
  recorder.start(nullptr);
  launch(function, input, table + 8);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.constants.size(), 1u);
  EXPECT_EQ(tape.calls.at("kbx: constants read after the call"), 1);
}

TEST_F(AdapterTest, APlaceGivenAnewIsNotTheOldConstant) {
  uint64_t table = arena.allocate(256);
  recorder.start(nullptr);
  launch(function, input, table);
  recorder.stop();
  lookup.content = std::byte{1};
  recorder.snapshot();
  arena.free(table);
  ASSERT_EQ(arena.allocate(200), table);
  lookup.content = std::byte{2};
  recorder.start(nullptr);
  launch(function, input, table);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.constants.at(0).data, Bytes(200, std::byte{2}));
}

TEST_F(AdapterTest, MemoryMadeInTheCallIsNoConstant) {
  recorder.start(nullptr);
  uint64_t made = arena.allocate(512);
  recorder.allocated(made, 512);
  launch(function, input, made);
  DeviceTape tape = stop();
  EXPECT_THAT(tape.constants, IsEmpty());
  EXPECT_EQ(tape.live.size(), 3u);
  EXPECT_EQ(lookup.reads, 0);
}

TEST_F(AdapterTest, TooMuchMemoryFromBeforeIsTrouble) {
  uint64_t table = arena.allocate(kMaxConstantBytes + 1);
  recorder.start(nullptr);
  launch(function, input, table);
  recorder.stop();
  recorder.snapshot();
  recorder.start(nullptr);
  launch(function, input, table);
  EXPECT_THAT(stop().trouble, ElementsAre(HasSubstr("128 MiB of memory from before")));
  EXPECT_EQ(lookup.reads, 0);
}

TEST_F(AdapterTest, MemoryOutsideTheArenaIsTrouble) {
  CUdeviceptr p = 0x7f0000000000;
  leave(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, "cuMemAlloc_v2", cuMemAlloc_v2_params{&p, 4096});
  recorder.start(nullptr);
  launch(function, input, p + 100);
  EXPECT_THAT(stop().trouble, ElementsAre(HasSubstr("outside the arena")));
  leave(CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, "cuMemFree_v2", cuMemFree_v2_params{p});
  recorder.start(nullptr);
  launch(function, input, p + 100);
  EXPECT_THAT(stop().trouble, IsEmpty());
}

// Stale bytes of a parameter structure hold such addresses; a kernel that uses one faults in the replay.
TEST_F(AdapterTest, TheRecordersMemoryIsNoTroubleAndNoConstant) {
  arena.scratch(true);
  uint64_t own = arena.allocate(64);
  recorder.start(nullptr);
  launch(function, input, own);
  DeviceTape tape = stop();
  EXPECT_THAT(tape.trouble, IsEmpty());
  EXPECT_THAT(tape.constants, IsEmpty());
}

}  // namespace
}  // namespace kbx::probe
