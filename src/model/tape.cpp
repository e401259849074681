#include "model/tape.h"

namespace kbx {

size_t Tape::launches() const {
  size_t n = 0;
  for (const TapeEntry& e : entries) n += std::holds_alternative<TapeLaunch>(e);
  return n;
}

bool view_fits(const TapeView& view, int64_t buffer_bytes) {
  if (view.shape.size() != view.stride.size() || view.offset < 0) return false;
  int64_t last = view.offset;
  for (size_t d = 0; d < view.shape.size(); d++) {
    if (view.shape[d] < 0 || view.stride[d] < 0) return false;
    int64_t step = 0;
    if (view.shape[d] == 0) return true;  // no element
    if (__builtin_mul_overflow(view.shape[d] - 1, view.stride[d], &step) || __builtin_add_overflow(last, step, &last)) return false;
  }
  int64_t size = int64_t(size_of(view.dtype));
  return last < buffer_bytes / size;
}

}  // namespace kbx
