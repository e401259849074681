// Fills, copies, events, captures and graphs: calls of the driver as CUPTI shows them -> entries of a tape.
#include "adapter_fixture.h"

namespace kbx::probe {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(AdapterTest, FillsOfAllWidths) {
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, "cuMemsetD8Async",
        cuMemsetD8Async_params{output, 7, 100, as<CUstream>(stream)});
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2, "cuMemsetD16_v2", cuMemsetD16_v2_params{output, 0x1234, 50});
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemsetD2D32Async, "cuMemsetD2D32Async",
        cuMemsetD2D32Async_params{output, 256, 9, 4, 3, nullptr});
  DeviceTape tape = stop();
  auto& narrow = entry<DeviceFill>(tape, 0);
  EXPECT_EQ(narrow.stream, 1u);
  EXPECT_EQ(narrow.columns, 100u);
  EXPECT_EQ(entry<DeviceFill>(tape, 1).width, 2u);
  auto& wide = entry<DeviceFill>(tape, 2);
  EXPECT_EQ(wide.pitch, 256u);
  EXPECT_EQ(wide.columns, 4u);
  EXPECT_EQ(wide.rows, 3u);
}

TEST_F(AdapterTest, AFillPastItsAllocationIsTrouble) {
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, "cuMemsetD8Async", cuMemsetD8Async_params{output, 7, 4097, nullptr});
  DeviceTape tape = stop();
  EXPECT_THAT(tape.entries, IsEmpty());
  EXPECT_THAT(tape.trouble, ElementsAre(HasSubstr("a fill of 4097 bytes")));
}

TEST_F(AdapterTest, ACopyFromTheHostCarriesItsBytesAndItsPointers) {
  uint64_t table = arena.allocate(64), pointers[2] = {table, 5};
  recorder.start(nullptr);
  copy_in(output, pointers, sizeof pointers);
  DeviceTape tape = stop();
  auto& c = entry<DeviceCopy>(tape, 0);
  EXPECT_EQ(c.kind, DeviceCopy::Kind::to_device);
  EXPECT_EQ(c.from, 0u);
  EXPECT_EQ(word(c.data, 0), table);
  EXPECT_EQ(tape.constants.size(), 2u);  // the output was there before, and the table
}

TEST_F(AdapterTest, ACopyToTheHostMakesTheHostWait) {
  int there = 0;
  recorder.start(stream);
  launch(function, input, output, 1, stream);
  cuMemcpyDtoH_v2_params p{&there, output, 4};
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2, "cuMemcpyDtoH_v2", p);
  launch(function, input, output, 1, stream);
  DeviceTape tape = stop();
  EXPECT_EQ(entry<DeviceCopy>(tape, 1).kind, DeviceCopy::Kind::to_host);
  EXPECT_EQ(entry<DeviceCopy>(tape, 1).to, 0u);
  EXPECT_EQ(entry<DeviceWait>(tape, 3).stream, 0u);
}

TEST_F(AdapterTest, ACopyOfUnknownDirectionAsksWhereThingsLie) {
  int there = 0;
  auto copy = [&](uint64_t to, uint64_t from) {
    enter(CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync, "cuMemcpyAsync", cuMemcpyAsync_params{to, from, 4, nullptr});
  };
  recorder.start(nullptr);
  copy(output, input);
  copy(output, uint64_t(&there));
  copy(uint64_t(&there), input);
  copy(uint64_t(&there), uint64_t(&there));
  DeviceTape tape = stop();
  ASSERT_EQ(tape.entries.size(), 3u);
  EXPECT_EQ(entry<DeviceCopy>(tape, 0).kind, DeviceCopy::Kind::on_device);
  EXPECT_EQ(entry<DeviceCopy>(tape, 1).kind, DeviceCopy::Kind::to_device);
  EXPECT_EQ(entry<DeviceCopy>(tape, 2).kind, DeviceCopy::Kind::to_host);
}

TEST_F(AdapterTest, TwoDimensionalCopiesKeepTheirPitches) {
  CUDA_MEMCPY2D c{};
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.srcDevice = input, c.srcPitch = 256, c.srcXInBytes = 16, c.srcY = 2;
  c.dstDevice = output, c.dstPitch = 64, c.WidthInBytes = 32, c.Height = 5;
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2, "cuMemcpy2DAsync_v2", cuMemcpy2DAsync_v2_params{&c, nullptr});
  DeviceTape tape = stop();
  auto& out = entry<DeviceCopy>(tape, 0);
  EXPECT_EQ(out.from, input + 2 * 256 + 16);
  EXPECT_EQ(out.to, output);
  EXPECT_EQ(out.columns, 32u);
  EXPECT_EQ(out.rows, 5u);
  EXPECT_EQ(out.from_pitch, 256u);
  EXPECT_EQ(out.to_pitch, 64u);
}

TEST_F(AdapterTest, RowsFromTheHostArePacked) {
  const char rows[] = "abXcdXefX";
  CUDA_MEMCPY2D c{};
  c.srcMemoryType = CU_MEMORYTYPE_HOST, c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.srcHost = rows, c.srcPitch = 3, c.dstDevice = output, c.dstPitch = 128, c.WidthInBytes = 2, c.Height = 3;
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2, "cuMemcpy2DUnaligned_v2", cuMemcpy2DUnaligned_v2_params{&c});
  DeviceTape tape = stop();
  auto& out = entry<DeviceCopy>(tape, 0);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(out.data.data()), out.data.size()), "abcdef");
  EXPECT_EQ(out.to_pitch, 128u);
}

TEST_F(AdapterTest, EventsBecomeNumbers) {
  Handle event = handle(7);
  recorder.start(nullptr);
  launch(function, input, output);
  enter(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, "cuEventRecord", cuEventRecord_params{as<CUevent>(event), nullptr});
  enter(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, "cuStreamWaitEvent",
        cuStreamWaitEvent_params{as<CUstream>(stream), as<CUevent>(event), 0});
  launch(function, input, output, 1, stream);
  leave(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, "cuStreamSynchronize",
        cuStreamSynchronize_params{as<CUstream>(stream)});
  launch(function, input, output);
  DeviceTape tape = stop();
  EXPECT_EQ(tape.events, 2u);
  EXPECT_EQ(entry<DeviceRecord>(tape, 1).event, 0u);
  EXPECT_EQ(entry<DeviceWait>(tape, 2).stream, 1u);
  EXPECT_EQ(entry<DeviceRecord>(tape, 4).stream, 1u);
  EXPECT_EQ(entry<DeviceWait>(tape, 5).stream, 0u);
}

TEST_F(AdapterTest, AQueryThatSaysNotReadyOrdersNothing) {
  recorder.start(nullptr);
  launch(function, input, output, 1, stream);
  leave(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery, "cuStreamQuery", cuStreamQuery_params{as<CUstream>(stream)},
        CUDA_ERROR_NOT_READY);
  launch(function, input, output);
  EXPECT_EQ(stop().events, 0u);
}

TEST_F(AdapterTest, CapturedLaunchesAreNoWork) {
  lookup.capturing_streams = {stream};
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, "cuStreamBeginCapture_v2",
        cuStreamBeginCapture_v2_params{as<CUstream>(stream), CU_STREAM_CAPTURE_MODE_GLOBAL});
  launch(function, input, output, 1, stream);
  DeviceTape tape = stop();
  EXPECT_THAT(tape.entries, IsEmpty());
  EXPECT_THAT(tape.trouble, IsEmpty());
}

TEST_F(AdapterTest, WhatHasNoEntryIsTroubleByName) {
  recorder.start(nullptr);
  for (const char* name : {"cuMemcpy3DAsync_v2", "cuMemcpyPeerAsync", "cuLaunchHostFunc", "cuMemAlloc_v2",
                           "cuStreamWaitValue32_v2", "cuCtxGetCurrent", "cuMemAllocHost_v2"})
    adapter.take({CUPTI_DRIVER_TRACE_CBID_INVALID, true, name, nullptr, nullptr, CUDA_SUCCESS});
  DeviceTape tape = stop();
  EXPECT_THAT(tape.trouble, ElementsAre("cuMemcpy3DAsync_v2", "cuMemcpyPeerAsync", "cuLaunchHostFunc", "cuMemAlloc_v2",
                                        "cuStreamWaitValue32_v2"));
  EXPECT_EQ(tape.calls.size(), 7u);
}

TEST_F(AdapterTest, AGraphOfUnknownMakingIsTrouble) {
  recorder.start(nullptr);
  enter(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, "cuGraphLaunch",
        cuGraphLaunch_params{as<CUgraphExec>(handle(30)), nullptr});
  EXPECT_THAT(stop().trouble, ElementsAre(HasSubstr("cuGraphLaunch")));
}

}  // namespace
}  // namespace kbx::probe
