// Loads, stores and atomics of blocks of pointers. Every lane is checked before memory is touched.
#pragma once
#include "ir/context.h"

namespace kbx::ir {

// Fields: a = pointers, b = mask or 0, x = lanes of the innermost dimension, kind = the element.
void load(Context& c, const Inst& i);            // c = other or 0
void store(Context& c, const Inst& i);           // c = value
void atomic_update(Context& c, const Inst& i);   // c = value, y = Rmw, out = old value or 0
void atomic_compare(Context& c, const Inst& i);  // b = compare, c = value, out = old value or 0

// tt.atomic_rmw's numbers.
enum class Rmw : uint32_t {
  bit_and = 1,
  bit_or,
  bit_xor,
  add,
  float_add,
  max,
  min,
  unsigned_max,
  unsigned_min,
  exchange,
  load = 32  // tt.atomic_load: the cell stays as it is, there is no value
};

}  // namespace kbx::ir
