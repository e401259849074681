// Copies between strided views of host memory, with torch's casts: round to nearest even into narrower floats, truncation
// into integers, != 0 into bool, no saturation into fp8 (beyond the range e4m3 becomes NaN, e5m2 Inf).
#pragma once
#include <cstdint>

#include "model/tape.h"

namespace kbx::replay {

// Equal shapes; both views fit their memory. Between complex and real there is no cast: false.
bool can_cast(Dtype to, Dtype from);
void copy_view(const TapeView& to, uint8_t* to_memory, const TapeView& from, const uint8_t* from_memory);
void fill_view(const TapeView& to, uint8_t* memory, const uint8_t* element);

}  // namespace kbx::replay
