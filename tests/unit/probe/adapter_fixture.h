// What the adapter's tests share: a module with one function of two pointers and a number, an input and an output.
#pragma once
#include <gmock/gmock.h>

#include "fakes.h"
#include "probe/adapter.h"

namespace kbx::probe {

template <class T>
T as(Handle h) {
  return reinterpret_cast<T>(const_cast<void*>(h));
}

class AdapterTest : public testing::Test {
 protected:
  FakeMemory memory;
  FakeLookup lookup;
  Arena arena{memory, kBase};
  Recorder recorder{lookup, arena};
  cuda::Driver driver;
  Adapter adapter{driver, recorder};
  Bytes elf = tiny_elf();
  const Handle module = handle(1), function = handle(2), stream = handle(3);
  uint64_t input = 0, output = 0;

  void SetUp() override {
    load(module, elf.data());
    name(function, module, "gelu");
    input = arena.allocate(4096);
    output = arena.allocate(4096);
    recorder.add_input(tensor("input", input, 4096));
  }
  static DeviceTensor tensor(const char* name, uint64_t at, uint64_t bytes) {
    return {name, Dtype::f32, {at, bytes}, 0, {int64_t(bytes / 4)}, {1}};
  }

  template <class P>
  void enter(CUpti_CallbackId id, const char* name, const P& p, const char* symbol = nullptr) {
    adapter.take({id, true, name, symbol, &p, CUDA_SUCCESS});
  }
  template <class P>
  void leave(CUpti_CallbackId id, const char* name, const P& p, CUresult result = CUDA_SUCCESS) {
    adapter.take({id, false, name, nullptr, &p, result});
  }

  void load(Handle m, const void* image, CUresult result = CUDA_SUCCESS) {
    CUmodule made = as<CUmodule>(m);
    leave(CUPTI_DRIVER_TRACE_CBID_cuModuleLoadData, "cuModuleLoadData", cuModuleLoadData_params{&made, image}, result);
  }
  void name(Handle f, Handle m, const char* text) {
    CUfunction made = as<CUfunction>(f);
    leave(CUPTI_DRIVER_TRACE_CBID_cuModuleGetFunction, "cuModuleGetFunction",
          cuModuleGetFunction_params{&made, as<CUmodule>(m), text});
  }
  // Parameters: two pointers and an int.
  void launch(Handle f, uint64_t a, uint64_t b, int n = 5, Handle on = nullptr,
              CUpti_CallbackId id = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) {
    void* values[] = {&a, &b, &n};
    cuLaunchKernel_params p{as<CUfunction>(f), 2, 3, 4, 128, 1, 1, 64, as<CUstream>(on), values, nullptr};
    enter(id, "cuLaunchKernel", p, "symbol");
  }
  void copy_in(uint64_t to, const void* from, size_t bytes) {
    enter(CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync_v2",
          cuMemcpyHtoDAsync_v2_params{to, from, bytes, nullptr});
  }
  // The tape, which must survive its own bytes.
  DeviceTape stop() {
    recorder.stop();
    recorder.add_output(tensor("result", output, 4096));
    DeviceTape tape = recorder.tape();
    Bytes bytes = dump_device_tape(tape);
    auto again = parse_device_tape(bytes.data(), bytes.size());
    EXPECT_TRUE(again) << again.error().message;
    if (again) EXPECT_EQ(dump_device_tape(*again), bytes);
    return tape;
  }
  template <class T>
  static const T& entry(const DeviceTape& tape, size_t k) {
    return std::get<T>(tape.entries.at(k));
  }
  static uint64_t word(const Bytes& bytes, size_t at) {
    uint64_t v;
    std::memcpy(&v, bytes.data() + at, 8);
    return v;
  }
};

}  // namespace kbx::probe
