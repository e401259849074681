// Loads, stores, atomics, and the operations that only hint or say something.
#include "ir/lowering.h"
#include "ir/memory.h"
#include "ir/ops_shuffle.h"

namespace kbx::ir {
namespace {

// The instruction's common part: pointers in a, the element's kind, rows of the innermost dimension.
Result<Inst> access(Lowering& l, const Op& o, Kernel kernel, const Type& element) {
  const Type& p = l.type(o.operands[0]);
  if (p.kind != Kind::ptr) return l.not_judged(o, "of a block pointer");
  if (p.pointee == Kind::other) return l.not_judged(o, "of an unknown element type");
  KBX_TRY(l.expect(o, p.pointee == element.kind && p.lanes == element.lanes, "the types"));
  Inst i;
  i.run = kernel;
  i.flow = Flow::own;
  i.kind = element.kind;
  i.lanes = element.lanes;
  i.bytes = static_cast<uint8_t>(lane_bytes(element.kind));
  i.x = element.shape.empty() ? 1 : element.shape.back();
  i.cost = element.lanes * 2;
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  return i;
}
Lowered add_mask(Lowering& l, const Op& o, size_t k, Inst& i) {
  const Type& m = l.type(o.operands[k]);
  KBX_TRY(l.expect(o, m.kind == Kind::i1 && m.lanes == i.lanes, "the mask"));
  KBX_TRY_ASSIGN(i.b, l.operand(o, k));
  return {};
}
bool same(const Type& a, const Type& b) { return a.kind == b.kind && a.lanes == b.lanes; }

// operandSegmentSizes: pointers, mask, other.
Lowered lower_load(Lowering& l, const Op& o) {
  auto segments = o.list("operandSegmentSizes");
  KBX_TRY(
      l.expect(o, o.results.size() == 1 && segments && (segments->empty() || segments->size() == 3), "the operands"));
  bool masked = segments->size() == 3 && (*segments)[1] == 1, other = segments->size() == 3 && (*segments)[2] == 1;
  KBX_TRY(l.expect_arity(o, size_t{1} + masked + other, 1));
  const Type& t = l.type(o.results[0]);
  KBX_TRY_ASSIGN(Inst i, access(l, o, load, t));
  if (masked) KBX_TRY(add_mask(l, o, 1, i));
  if (other) {
    size_t k = o.operands.size() - 1;
    KBX_TRY(l.expect(o, same(l.type(o.operands[k]), t), "the other value"));
    KBX_TRY_ASSIGN(i.c, l.operand(o, k));
  }
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

Lowered lower_store(Lowering& l, const Op& o) {
  bool masked = o.operands.size() == 3;
  KBX_TRY(l.expect_arity(o, masked ? 3 : 2, 0));
  KBX_TRY_ASSIGN(Inst i, access(l, o, store, l.type(o.operands[1])));
  if (masked) KBX_TRY(add_mask(l, o, 2, i));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 1));
  l.emit(i);
  return {};
}

Lowered atomic_kind(Lowering& l, const Op& o, Kind kind) {
  if (memory_bytes(kind) == 1) return l.not_judged(o, "of one byte");
  return l.expect(o, kind != Kind::ptr, "of pointers");
}

Lowered lower_update(Lowering& l, const Op& o) {
  bool masked = o.operands.size() == 3;
  KBX_TRY(l.expect(o, (masked || o.operands.size() == 2) && o.results.size() <= 1, "the operands"));
  const Type& t = l.type(o.operands[1]);
  KBX_TRY_ASSIGN(Inst i, access(l, o, atomic_update, t));
  KBX_TRY(atomic_kind(l, o, t.kind));
  auto op = o.integer("atomic_rmw_op", 0);
  KBX_TRY(l.expect(o, op && *op >= 1 && *op <= 10, "the operation"));
  auto rmw = static_cast<Rmw>(*op);
  bool on_floats = rmw == Rmw::float_add || rmw == Rmw::exchange, on_ints = rmw != Rmw::float_add;
  if (is_float(t.kind) ? !on_floats : !on_ints) return l.not_judged(o, "of this type");
  i.y = static_cast<uint32_t>(*op);
  if (masked) KBX_TRY(add_mask(l, o, 2, i));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 1));
  if (!o.results.empty()) {
    KBX_TRY(l.expect(o, same(l.type(o.results[0]), t), "the result"));
    i.out = l.make(o.results[0]);
  }
  l.emit(i);
  return {};
}

Lowered lower_compare(Lowering& l, const Op& o) {
  KBX_TRY(l.expect(o, o.operands.size() == 3 && o.results.size() <= 1, "the operands"));
  const Type& t = l.type(o.operands[1]);
  KBX_TRY_ASSIGN(Inst i, access(l, o, atomic_compare, t));
  KBX_TRY(atomic_kind(l, o, t.kind));
  KBX_TRY(l.expect(o, same(l.type(o.operands[2]), t), "the value"));
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 2));
  if (!o.results.empty()) {
    KBX_TRY(l.expect(o, same(l.type(o.results[0]), t), "the result"));
    i.out = l.make(o.results[0]);
  }
  l.emit(i);
  return {};
}

// tt.atomic_load and tt.atomic_store, of any width: the number of operands tells whether there is a mask.
Lowered lower_atomic_load(Lowering& l, const Op& o) {
  KBX_TRY(l.expect(o, (o.operands.size() == 1 || o.operands.size() == 2) && o.results.size() == 1, "the operands"));
  const Type& t = l.type(o.results[0]);
  KBX_TRY_ASSIGN(Inst i, access(l, o, atomic_update, t));
  i.y = static_cast<uint32_t>(Rmw::load);
  if (o.operands.size() == 2) KBX_TRY(add_mask(l, o, 1, i));
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}
Lowered lower_atomic_store(Lowering& l, const Op& o) {
  bool masked = o.operands.size() == 3;
  KBX_TRY(l.expect_arity(o, masked ? 3 : 2, 0));
  KBX_TRY_ASSIGN(Inst i, access(l, o, atomic_update, l.type(o.operands[1])));
  i.y = static_cast<uint32_t>(Rmw::exchange);
  if (masked) KBX_TRY(add_mask(l, o, 2, i));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 1));
  l.emit(i);
  return {};
}

// Looks until every cell holds its expected value; other programs go on meanwhile. A time limit in nanoseconds of a
// GPU's clock means nothing here.
Lowered lower_poll(Lowering& l, const Op& o) {
  if (o.operands.size() == 3) return l.not_judged(o, "with a time limit");
  KBX_TRY(l.expect_arity(o, 2, 1));
  if (l.in_combine()) return l.not_judged(o, "in the region of another operation");
  const Type& t = l.type(o.operands[1]);
  KBX_TRY(l.expect(o,
                   is_integer(t.kind) && t.kind != Kind::i1 && l.type(o.results[0]).kind == Kind::i1 &&
                       l.type(o.results[0]).lanes == t.lanes,
                   "the types"));
  KBX_TRY_ASSIGN(Inst look, access(l, o, atomic_update, t));
  look.y = static_cast<uint32_t>(Rmw::load);
  look.out = l.fresh(uint64_t{t.lanes} * lane_bytes(t.kind));
  Inst test;
  test.run = equal_lanes;
  test.lanes = t.lanes;
  test.bytes = static_cast<uint8_t>(lane_bytes(t.kind));
  test.a = look.out;
  KBX_TRY_ASSIGN(test.b, l.operand(o, 1));
  test.out = l.make(o.results[0]);
  test.c = l.fresh(8);  // every lane is equal
  uint32_t start = l.emit(look);
  l.emit(test);
  uint32_t again = l.jump(Control::jump_if_not, test.c);
  uint32_t leave = l.jump(Control::jump);
  l.patch(again, l.here());
  uint32_t end = l.jump(Control::back, 0, start);
  l.patch(leave, l.here());
  return l.add_loop(o, start, end);
}

Lowered lower_assert(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 0));
  const Type& t = l.type(o.operands[0]);
  KBX_TRY(l.expect(o, t.kind == Kind::i1, "the condition"));
  Inst i;
  i.run = check_assert;
  i.flow = Flow::own;
  i.lanes = t.lanes;
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  l.emit(i);
  return {};
}
Lowered lower_nothing(Lowering& l, const Op& o) { return l.expect(o, o.results.empty(), "no result was expected"); }

constexpr OpRow kRows[] = {
    {"tt.load", lower_load},
    {"tt.store", lower_store},
    {"tt.atomic_rmw", lower_update},
    {"tt.atomic_cas", lower_compare},
    {"tt.atomic_load", lower_atomic_load},
    {"tt.atomic_store", lower_atomic_store},
    {"tt.atomic_poll", lower_poll},
    {"tt.assert", lower_assert},
    {"cf.assert", lower_assert},
    {"tt.grid_dependency_wait", lower_nothing},
    {"tt.grid_dependency_launch_dependents", lower_nothing},
    {"tt.print", lower_nothing},
    {"ttg.barrier", lower_nothing},
    {"llvm.intr.assume", lower_nothing},
};

}  // namespace

std::span<const OpRow> memory_rows() { return kRows; }

}  // namespace kbx::ir
