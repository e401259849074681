// Kernels that move lanes or count them.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

void copy_lanes(Context& c, const Inst& i);  // a -> out, lanes * bytes
void program_id(Context& c, const Inst& i);  // x = axis
void program_count(Context& c, const Inst& i);
void poison(Context& c, const Inst& i);        // an undefined value
Kernel find_splat(Kind kind);                  // one lane to all
Kernel find_permute(Kind kind);                // extra->lanes[k] = source lane
Kernel find_broadcast(Kind kind);              // [outer, 1, inner] -> [outer, length, inner]
void join_two(Context& c, const Inst& i);      // extra->lanes over a then b; x = lanes of a
void gather(Context& c, const Inst& i);        // a source [outer, y, inner], b indices [outer, length, inner]
void histogram(Context& c, const Inst& i);     // a values (x of them), b mask or 0
void equal_lanes(Context& c, const Inst& i);   // a against b, `bytes` a lane; c = a flag: all are equal
void check_assert(Context& c, const Inst& i);  // a condition

// The definedness of a broadcast, permutation, join, copy or splat.
void move_undefined(Context& c, const Inst& i);

}  // namespace kbx::ir
