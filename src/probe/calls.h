// Calls: one launch, fill or copy as the program gave it to the driver, before it is an entry of a tape. A node of a
// CUDA graph is kept as one, too.
#pragma once
#include <variant>

#include "probe/lookup.h"

namespace kbx::probe {

struct LaunchCall {
  Handle function = nullptr;
  std::string symbol;  // the mangled name, where the call says it
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t shared = 0;  // bytes
  bool cooperative = false;
  Handle stream = nullptr;
  Bytes attributes;  // CUlaunchAttribute structures
  // The parameters, in one of the driver's two forms; `packed` holds them when they were read before.
  void* const* values = nullptr;  // one pointer a parameter
  void* const* extra = nullptr;   // key, value, ..., CU_LAUNCH_PARAM_END
  Bytes packed;
};

struct FillCall {
  uint64_t at = 0;
  uint32_t width = 1, value = 0;  // bytes of an element; its bits
  uint64_t pitch = 0, columns = 0, rows = 1;
  Handle stream = nullptr;
};

struct CopyCall {
  enum class Side { host, device, unknown };
  Side from_side = Side::unknown, to_side = Side::unknown;
  uint64_t from = 0, to = 0;
  uint64_t columns = 0, rows = 1, from_pitch = 0, to_pitch = 0;  // bytes
  Handle stream = nullptr;
  bool waits = false;  // the host waits for it
};

using AnyCall = std::variant<LaunchCall, FillCall, CopyCall>;

}  // namespace kbx::probe
