// What a device tape says by itself: can it be played, whose kernels are on it, what would have to be believed.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/device_tape.h"

namespace kbx::eval {

struct DeviceReading {
  std::string why_not;                 // not playable, in words; "" = playable
  bool host_read = false;              // bytes went to the host: what follows may depend on values
  bool own_kernels = false;            // a kernel that no library brought was launched
  std::vector<std::string> libraries;  // names of libraries whose kernels compute: "cublas", "cudnn", "aten: NAME"
  std::vector<std::string> flags;      // of the record: "tape: ..."
};

// `own_images`: SHA-256 of the images in the Triton cache of the process that made the tape; empty: not told.
DeviceReading read_device_tape(const DeviceTape& tape, const std::set<std::string>& own_images);
// Kernels of ATen that only fill, copy, cast or arrange: they are no work. By mangled name.
bool is_helper_kernel(const std::string& mangled);
// The same tape without the launches by which libraries compute what the task's `allowed` operators do not; nothing when
// there are none.
std::optional<DeviceTape> without_libraries(const DeviceTape& tape, const std::vector<std::string>& allowed);

}  // namespace kbx::eval
