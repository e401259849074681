// Poison: the bytes that output memory holds before a call, so that elements that were never written can be told.
//   f16, bf16 0x7fff   f32 0x7fffffff   f64 0x7fffffffffffffff (all NaN)   c64, c128: both parts
//   i16 0x7b7b   i32 0x7b7b7b7b   i64 0x7b7b7b7b7b7b7b7b
// One-byte types have none that could not be a result (f8: NaN 0x7f is counted; i8, u8, bool: never counted).
// NVIDIA GPUs give 0x7fffffff for a computed NaN, so poison is only ever asked for where the element is wrong anyway.
#pragma once
#include <cstdint>

#include "judge/view.h"

namespace kbx::judge {

bool is_poison(const View& view, int64_t flat);

struct PoisonCount {
  int64_t count = 0;
  int64_t first = -1;  // flat index
};
// Counts poisoned elements among those where wrong[flat] is not zero (null: everywhere). wrong has view.count() bytes.
PoisonCount count_poison(const View& view, const uint8_t* wrong);

}  // namespace kbx::judge
