// The region of a reduction, scan or map becomes a body: code that runs inside one instruction.
#pragma once
#include <vector>

#include "ir/lowering.h"

namespace kbx::ir {

struct RegionShape {
  const Region* region = nullptr;
  std::vector<Kind> arguments, results;  // what the region must take and return
  uint32_t lanes = 1;                    // straight code runs on as many at once, code with control flow on one
  bool memory = false;                   // it may touch memory (Lowering::Frame)
};

// Fills body, left and right, and result; with control flow argument and value too.
Lowered lower_body(Lowering& l, const Op& o, const RegionShape& shape, Combine& x);

}  // namespace kbx::ir
