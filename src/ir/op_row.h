// The tables that name every operation: one row an operation, one table a family.
#pragma once
#include <span>
#include <string_view>

#include "base/result.h"
#include "ir/lanes.h"
#include "ir/module.h"

namespace kbx::ir {

using Lowered = Result<void>;

class Lowering;
struct OpRow {
  std::string_view name;
  Lowered (*lower)(Lowering&, const Op&);
  bool in_combine = false;  // may stand in the region of a reduction
};
std::span<const OpRow> constant_rows();
std::span<const OpRow> shuffle_rows();
std::span<const OpRow> memory_rows();
std::span<const OpRow> reduce_rows();
std::span<const OpRow> control_rows();
std::span<const OpRow> function_rows();
std::span<const OpRow> select_rows();
std::span<const OpRow> region_rows();
std::span<const OpRow> dot_rows();
std::span<const OpRow> asm_rows();
Lowered lower_lanes(Lowering& l, const Op& o, const LaneRow& row);
// After an operation: what it claims of its result's divisibility becomes a check.
Lowered lower_claim(Lowering& l, const Op& o);

}  // namespace kbx::ir
