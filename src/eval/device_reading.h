// What a device tape says by itself: can it be played, whose kernels are on it, what would have to be believed.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/device_tape.h"

namespace kbx::eval {

// A kernel of a library that computes.
struct LibraryKernel {
  std::string library;                 // "cublas", "cudnn", "aten: NAME"
  std::string name;                    // mangled
  bool aten = false;
  int64_t blocks = 0;                  // of its largest launch
};

struct DeviceReading {
  std::string why_not;                 // not playable, in words; "" = playable
  bool host_read = false;              // bytes went to the host: what follows may depend on values
  uint64_t host_bytes = 0;             // how many
  bool copies = false;                 // something was copied on the device, but by no kernel of its own
  bool own_kernels = false;            // a kernel that no library brought was launched
  std::vector<LibraryKernel> work;     // each once
  std::vector<std::string> flags;      // of the record: "tape: ..."
};

// `own_images`: SHA-256 of the images in the Triton cache of the process that made the tape; empty: not told.
DeviceReading read_device_tape(const DeviceTape& tape, const std::set<std::string>& own_images);
// Kernels of ATen that only fill, copy, cast or arrange: they are no work. By mangled name.
bool is_helper_kernel(const std::string& mangled);
// The kernel of a library that this launch computes by; nothing for the candidate's own and for helpers.
std::optional<LibraryKernel> library_kernel(const DeviceTape& tape, const DeviceLaunch& launch);

}  // namespace kbx::eval
