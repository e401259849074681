// Compare: an output of the candidate against the reference's, on the card; and outputs as dense bytes.
#pragma once
#include "base/json.h"
#include "clock/kernels.h"
#include "clock/memory.h"
#include "model/device_tape.h"

namespace kbx::clock {

// What is allowed: |c - r| <= atol + rtol |r| + rtol_rms rms(r); exact: equal values.
struct Tolerance {
  std::string name;
  double atol = 0, rtol = 0, rtol_rms = 0;
  bool exact = false;
};
Outcome<std::vector<Tolerance>> read_tolerances(const Json& outputs);

struct Comparison {
  std::string name;
  std::string problem;          // why nothing was compared; "" = it was
  uint64_t count = 0, mismatches = 0, nan = 0;
  double max_abs = 0;           // of finite differences
  double rms_difference = 0, rms_reference = 0;
  Json json() const;
};
// nullptr: that side has no such output. Fault: memory, device.
Outcome<Comparison> compare(Card& card, const Kernels& kernels, const DeviceTensor* candidate, const DeviceTensor* reference, const Tolerance& tolerance);

// Elements of an output. Fault tape: more than `most_bytes` as dense bytes, or too many dims.
Outcome<uint64_t> dense_bytes(const DeviceTensor& t, uint64_t most_bytes);
// Address of the output as dense bytes: its own place when it is dense already, else `scratch`, which is made.
Outcome<uint64_t> dense_at(Card& card, const Kernels& kernels, const DeviceTensor& t, Buffer& scratch, uint64_t most_bytes);

}  // namespace kbx::clock
