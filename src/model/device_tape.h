// DeviceTape: the work of one call on a GPU as data: memory at fixed addresses, images, launches with their parameter
// bytes, fills and copies. Written inside the process of a candidate, so it is a claim; it is sealed by its hash before
// the inputs that it is played on exist, and scores only if it computes the right thing on them (docs/clock.md).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/value.h"

namespace kbx {

struct DeviceImage {
  enum class Kind : uint32_t { elf, fatbin, ptx, unknown };
  // How it was loaded. Libraries use `library_data`; Triton and runtime compilers `module_data`.
  enum class Via : uint32_t { module_data, module_data_ex, fat_binary, library_data, module_file, library_file };
  Kind kind = Kind::elf;
  Via via = Via::module_data;
  std::string origin;  // the shared object that holds it; "heap" when no file does
  Bytes data;
};

struct DeviceParameter {
  uint32_t offset = 0, size = 0;  // bytes in the parameter buffer
};
struct DeviceFunction {
  uint32_t image = 0;  // index into DeviceTape::images
  std::string name;    // mangled
  // Attributes that were set; -1 = not.
  int32_t dynamic_shared = -1, cache_config = -1, nonportable_cluster = -1, carveout = -1;
  std::vector<DeviceParameter> parameters;
};

// Streams and recorded events are numbered from 0 in order of appearance; stream 0 is the call's current one.
struct DeviceLaunch {
  uint32_t function = 0;
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t shared = 0;       // dynamic, bytes
  uint32_t cooperative = 0;
  uint32_t stream = 0;
  Bytes attributes;          // CUlaunchAttribute structures, 72 bytes each
  Bytes parameters;          // laid out as DeviceFunction::parameters says
};
struct DeviceFill {          // cuMemset*: `rows` rows of `columns` elements of `width` bytes, `pitch` bytes apart
  uint64_t at = 0;
  uint32_t width = 1, value = 0;
  uint64_t pitch = 0, columns = 0, rows = 1;
  uint32_t stream = 0;
};
struct DeviceCopy {
  enum class Kind : uint32_t { to_device, on_device, to_host };
  Kind kind = Kind::on_device;
  uint64_t to = 0, from = 0;  // device addresses; the host's side is 0
  uint64_t columns = 0;       // bytes of one row
  uint64_t rows = 1, to_pitch = 0, from_pitch = 0;
  uint32_t stream = 0;
  Bytes data;                 // to_device: rows packed
};
struct DeviceRecord { uint32_t event = 0, stream = 0; };  // cuEventRecord
struct DeviceWait { uint32_t event = 0, stream = 0; };    // cuStreamWaitEvent
using DeviceEntry = std::variant<DeviceLaunch, DeviceFill, DeviceCopy, DeviceRecord, DeviceWait>;

struct DeviceRange {
  uint64_t at = 0, bytes = 0;
};

// A tensor of the call on its storage.
struct DeviceTensor {
  std::string name;           // path of the argument, or of the output ("result", "result[1]")
  Dtype dtype = Dtype::f32;
  DeviceRange storage;
  int64_t offset = 0;         // elements
  std::vector<int64_t> shape, stride;
};
// Memory that was there before the call and is no input: its bytes then.
struct DeviceConstant {
  uint64_t at = 0;
  Bytes data;
};

struct DeviceTape {
  uint64_t base = 0, bytes = 0;              // the arena's place and high-water mark
  std::vector<DeviceImage> images;
  std::vector<DeviceFunction> functions;
  std::vector<DeviceEntry> entries;
  std::vector<DeviceRange> live;             // allocations that exist at the start of the call or are made in it
  std::vector<DeviceTensor> inputs, outputs;
  std::vector<DeviceConstant> constants;
  uint32_t streams = 1, events = 0, threads = 1;
  std::map<std::string, int64_t> calls;      // driver functions by name, as often as they were called
  std::vector<std::string> trouble;          // what could not be recorded: such a tape is not played

  size_t launches() const;
};

// One arena is at most this large, and starts at a multiple of kDeviceBaseAlign between the two bounds.
inline constexpr uint64_t kDeviceArenaBytes = uint64_t(256) << 30;
inline constexpr uint64_t kDeviceBaseAlign = uint64_t(32) << 20;
inline constexpr uint64_t kDeviceBaseFirst = 0x100000000000, kDeviceBaseLast = 0x7e0000000000;
inline constexpr size_t kMaxDeviceTapeBytes = size_t(512) << 20;

// Little-endian, self-describing by a magic and a version.
Bytes dump_device_tape(const DeviceTape& tape);
// Every length, index and address is checked: images and functions exist, entries write and tensors lie inside the arena,
// parameters inside their buffers. Error: code usage, one sentence.
Result<DeviceTape> parse_device_tape(const std::byte* data, size_t size);

}  // namespace kbx
