// Running the region of a reduction, scan or map.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

// One step of the region on the first `lanes` lanes of left and right, into result.
void run_body(Context& c, const Combine& x, uint32_t lanes);

// tt.map_elementwise: x elements of each operand a call.
void map_elements(Context& c, const Inst& i);

}  // namespace kbx::ir
