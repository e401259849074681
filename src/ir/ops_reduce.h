// Reductions and scans.
#pragma once
#include <string_view>

#include "ir/context.h"

namespace kbx::ir {

// Forward: neighbours pairwise, level by level. Other: one after the other. Both keep the operands' order.
void reduce(Context& c, const Inst& i);
// Forward: sequential along the axis. Other: in blocks.
void scan(Context& c, const Inst& i);
// A reduction (scan) whose combine is one commutative operation on one value; null = use the general one.
Kernel find_fold(std::string_view operation, Kind kind);
// A fold's forward order: 16 partial results, then halves of them. Other: from the last to the first.
Kernel find_running_fold(std::string_view operation, Kind kind);

}  // namespace kbx::ir
