// Recognizing poison by its bits.
#include "judge/poison.h"

#include <algorithm>
#include <cstring>

namespace kbx::judge {
namespace {

// The low byte comes first: a NaN pattern is 0xff ... 0xff 0x7f.
bool is_nan_pattern(const std::byte* at, size_t width) {
  return std::all_of(at, at + width - 1, [](std::byte b) { return b == std::byte(0xff); }) &&
         at[width - 1] == std::byte(0x7f);
}

}  // namespace

bool is_poison(const View& view, int64_t flat) {
  size_t width = size_of(view.dtype());
  const std::byte* at = view.data() + size_t(flat) * width;
  if (is_complex(view.dtype())) return is_nan_pattern(at, width / 2) && is_nan_pattern(at + width / 2, width / 2);
  if (is_floating(view.dtype())) return is_nan_pattern(at, width);
  return width > 1 && std::all_of(at, at + width, [](std::byte b) { return b == std::byte(0x7b); });
}

PoisonCount count_poison(const View& view, const uint8_t* wrong) {
  PoisonCount found;
  for (int64_t k = 0; k < view.count(); k++) {
    if ((wrong && !wrong[k]) || !is_poison(view, k)) continue;
    if (found.count++ == 0) found.first = k;
  }
  return found;
}

}  // namespace kbx::judge
