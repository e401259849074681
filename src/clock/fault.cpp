#include "clock/fault.h"

#include <array>

namespace kbx::clock {

std::string_view to_text(Fault::Kind kind) {
  static constexpr std::array<std::string_view, 9> kNames{"address", "image", "function", "memory", "launch", "device", "tape", "timeout", "command"};
  return kNames[size_t(kind)];
}

}  // namespace kbx::clock
