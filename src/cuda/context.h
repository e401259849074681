// Context: one card with its primary context current in this thread, and what the card says of itself.
#pragma once
#include <cstdint>
#include <string>

#include "cuda/driver.h"

namespace kbx::cuda {

struct DeviceFacts {
  std::string name, uuid, pci, driver;  // uuid "GPU-8-4-4-4-12" in hex; driver: version of CUDA, "12.8"
  int cards = 0;
  int cc = 0;                           // 90 for 9.0
  int sms = 0;
  int64_t l2_bytes = 0, memory_bytes = 0;
  int shared_per_block = 0;             // with opt-in
  int clock_mhz = 0;                    // the largest SM clock; 0 = unknown
};

struct Context {
  CUdevice device = 0;
  CUcontext context = nullptr;
  DeviceFacts facts;
};

// cuInit, the card, its primary context made current. It is not released: the process ends instead. Error: code sandbox.
Result<Context> open_context(const Driver& cu, int card);

}  // namespace kbx::cuda
