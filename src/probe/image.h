// Image: device code as the driver was given it. No length comes with the pointer; it follows from the headers.
#pragma once
#include <string>

#include "model/device_tape.h"

namespace kbx::probe {

struct ImageExtent {
  DeviceImage::Kind kind = DeviceImage::Kind::unknown;
  const void* start = nullptr;  // behind a fatbin wrapper: what it points to
  uint64_t bytes = 0;           // 0: of no known kind
};
// ELF64 (headers, program headers, sections), fatbin, fatbin wrapper, PTX text (with its final NUL).
ImageExtent extent_of(const void* image);
// The shared object in which the address lies, or "heap".
std::string origin_of(const void* address);

}  // namespace kbx::probe
