// Reductions, scans and matrix products.
#pragma once
#include <string_view>

#include "ir/context.h"

namespace kbx::ir {

void reduce(Context& c, const Inst& i);  // any combine region: neighbours pairwise, level by level, order kept
void scan(Context& c, const Inst& i);    // any combine region, sequential along the axis
// A reduction (scan) whose combine is one commutative operation on one value; null = use the general one.
Kernel find_fold(std::string_view operation, Kind kind);
Kernel find_running_fold(std::string_view operation, Kind kind);
void dot(Context& c, const Inst& i);  // out = c + a x b by extra->dot

}  // namespace kbx::ir
