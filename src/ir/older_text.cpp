// The differences between the texts of Triton 3.2 to 3.9.
#include "ir/older_text.h"

namespace kbx::ir {
namespace {

void rename_attribute(Op& o, std::string_view from, std::string_view to) {
  for (Attribute& a : o.attributes)
    if (a.key == from) a.key = to;
}

// 3.2: lhs_type and rhs_type, never a scale of the right side, all operands there are.
void modernise_scaled_dot(Op& o) {
  rename_attribute(o, "lhs_type", "a_elem_type");
  rename_attribute(o, "rhs_type", "b_elem_type");
  if (!o.has("operandSegmentSizes") && o.operands.size() == 4)
    o.attributes.push_back({"operandSegmentSizes", "array<i32: 1, 1, 1, 1, 0>"});
}

}  // namespace

void modernise(Op& o) {
  if (o.name == "tt.dot_scaled") modernise_scaled_dot(o);
  // Block barriers: gpu.barrier to 3.6, ttg.local_barrier between, ttg.barrier since 3.8.
  if (o.name == "gpu.barrier" || o.name == "ttg.local_barrier") o.name = "ttg.barrier";
}

}  // namespace kbx::ir
