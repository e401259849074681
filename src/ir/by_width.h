// Code for lanes of any width, once a width.
#pragma once
#include <cstdint>

namespace kbx::ir {

// f(uint8_t{}), f(uint16_t{}), f(uint32_t{}) or f(uint64_t{}): the type of `bytes` bytes.
template <class F>
void by_width(uint32_t bytes, F f) {
  if (bytes == 1) f(uint8_t{});
  else if (bytes == 2) f(uint16_t{});
  else if (bytes == 4) f(uint32_t{});
  else f(uint64_t{});
}

}  // namespace kbx::ir
