// Operations that move lanes: splat, broadcast, reshape, trans, join, split, cat, gather, histogram.
#include <algorithm>

#include "ir/lowering.h"
#include "ir/ops_shuffle.h"

namespace kbx::ir {
namespace {

Inst lanes_inst(Lowering& l, ValueId result, Kernel kernel) {
  Inst i;
  i.run = kernel;
  i.flow = Flow::permute;
  i.kind = l.type(result).kind;
  i.lanes = l.type(result).lanes;
  i.bytes = static_cast<uint8_t>(lane_bytes(i.kind));
  return i;
}
Lowered emit_move(Lowering& l, const Op& o, ValueId result, Inst i) {
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  bool invariant = l.is_invariant(o);
  i.out = l.make(result, invariant);
  l.set_invariant(result, invariant);
  l.emit(i, invariant);
  return {};
}
// Calls f with the row-major position of every element and its coordinates.
template <class F>
void each_element(const std::vector<uint32_t>& shape, uint32_t count, F f) {
  std::vector<uint32_t> at(shape.size());
  for (uint32_t k = 0; k < count; k++) {
    f(k, at);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++at[d] < shape[d]) break;
      at[d] = 0;
    }
  }
}
Result<Extra*> new_lanes(Lowering& l, const Op& o, uint32_t count) {
  KBX_TRY(l.reserve_table(o, uint64_t{count} * sizeof(uint32_t)));
  Extra* x = l.new_extra();
  x->lanes.resize(count);
  return x;
}

Lowered lower_splat(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 1));
  const Type &s = l.type(o.operands[0]), &d = l.type(o.results[0]);
  KBX_TRY(l.expect(o, !s.tensor && s.kind == d.kind, "the types"));
  return emit_move(l, o, o.results[0], lanes_inst(l, o.results[0], find_splat(d.kind)));
}

// The lanes stay where they are.
Lowered lower_reshape(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 1));
  const Type &s = l.type(o.operands[0]), &d = l.type(o.results[0]);
  KBX_TRY(l.expect(o, s.lanes == d.lanes && s.kind == d.kind, "the types"));
  KBX_TRY_ASSIGN(uint32_t storage, l.operand(o, 0));
  l.alias(o.results[0], storage, l.is_invariant(o.operands[0]));
  return {};
}

Lowered lower_broadcast(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 1));
  const Type &s = l.type(o.operands[0]), &d = l.type(o.results[0]);
  KBX_TRY(l.expect(o, s.kind == d.kind && s.shape.size() == d.shape.size(), "the types"));
  size_t different = 0, axis = 0;
  for (size_t k = 0; k < s.shape.size(); k++) {
    if (s.shape[k] == d.shape[k]) continue;
    KBX_TRY(l.expect(o, s.shape[k] == 1, "the shapes"));
    different++;
    axis = k;
  }
  if (different <= 1) {
    Extra* x = l.new_extra();
    if (different)
      x->split = split_at(d.shape, axis);
    else
      x->split.inner = d.lanes;
    Inst i = lanes_inst(l, o.results[0], find_broadcast(d.kind));
    i.extra = x;
    return emit_move(l, o, o.results[0], i);
  }
  KBX_TRY_ASSIGN(Extra * x, new_lanes(l, o, d.lanes));
  each_element(d.shape, d.lanes, [&](uint32_t k, const std::vector<uint32_t>& at) {
    uint32_t from = 0;
    for (size_t q = 0; q < at.size(); q++) from = from * s.shape[q] + (s.shape[q] == 1 ? 0 : at[q]);
    x->lanes[k] = from;
  });
  Inst i = lanes_inst(l, o.results[0], find_permute(d.kind));
  i.extra = x;
  return emit_move(l, o, o.results[0], i);
}

Lowered lower_trans(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 1));
  const Type &s = l.type(o.operands[0]), &d = l.type(o.results[0]);
  auto order = o.list("order");
  size_t rank = s.shape.size();
  KBX_TRY(l.expect(o, order && order->size() == rank && d.shape.size() == rank && s.kind == d.kind, "the order"));
  std::vector<bool> seen(rank);
  for (size_t k = 0; k < rank; k++) {
    int64_t axis = (*order)[k];
    KBX_TRY(
        l.expect(o, axis >= 0 && static_cast<size_t>(axis) < rank && !seen[static_cast<size_t>(axis)], "the order"));
    seen[static_cast<size_t>(axis)] = true;
    KBX_TRY(l.expect(o, s.shape[static_cast<size_t>(axis)] == d.shape[k], "the shapes"));
  }
  KBX_TRY_ASSIGN(Extra * x, new_lanes(l, o, d.lanes));
  std::vector<uint32_t> from(rank);
  each_element(d.shape, d.lanes, [&](uint32_t k, const std::vector<uint32_t>& at) {
    for (size_t q = 0; q < rank; q++) from[static_cast<size_t>((*order)[q])] = at[q];
    uint32_t flat = 0;
    for (size_t q = 0; q < rank; q++) flat = flat * s.shape[q] + from[q];
    x->lanes[k] = flat;
  });
  Inst i = lanes_inst(l, o.results[0], find_permute(d.kind));
  i.extra = x;
  return emit_move(l, o, o.results[0], i);
}

Lowered lower_split(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 1, 2));
  const Type& s = l.type(o.operands[0]);
  KBX_TRY(l.expect(o, !s.shape.empty() && s.shape.back() == 2, "the shape"));
  for (uint32_t r = 0; r < 2; r++) {
    const Type& d = l.type(o.results[r]);
    KBX_TRY(l.expect(o, d.kind == s.kind && d.lanes == s.lanes / 2, "the types"));
    KBX_TRY_ASSIGN(Extra * x, new_lanes(l, o, d.lanes));
    for (uint32_t k = 0; k < d.lanes; k++) x->lanes[k] = 2 * k + r;
    Inst i = lanes_inst(l, o.results[r], find_permute(d.kind));
    i.extra = x;
    KBX_TRY(emit_move(l, o, o.results[r], i));
  }
  return {};
}

Lowered lower_two(Lowering& l, const Op& o, bool interleave) {
  KBX_TRY(l.expect_arity(o, 2, 1));
  const Type &a = l.type(o.operands[0]), &b = l.type(o.operands[1]), &d = l.type(o.results[0]);
  KBX_TRY(
      l.expect(o, a.kind == b.kind && a.kind == d.kind && a.lanes == b.lanes && d.lanes == 2 * a.lanes, "the types"));
  KBX_TRY_ASSIGN(Extra * x, new_lanes(l, o, d.lanes));
  for (uint32_t k = 0; k < d.lanes; k++) x->lanes[k] = interleave ? (k & 1) * a.lanes + k / 2 : k;
  Inst i = lanes_inst(l, o.results[0], join_two);
  i.extra = x;
  i.x = a.lanes;
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  return emit_move(l, o, o.results[0], i);
}
Lowered lower_join(Lowering& l, const Op& o) { return lower_two(l, o, true); }
Lowered lower_cat(Lowering& l, const Op& o) { return lower_two(l, o, false); }

Lowered lower_gather(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 2, 1));
  const Type &s = l.type(o.operands[0]), &index = l.type(o.operands[1]), &d = l.type(o.results[0]);
  auto axis = o.integer("axis", -1);
  size_t rank = s.shape.size();
  KBX_TRY(
      l.expect(o, axis && *axis >= 0 && static_cast<size_t>(*axis) < rank && index.shape.size() == rank, "the axis"));
  KBX_TRY(l.expect(o, d.shape == index.shape && d.kind == s.kind, "the types"));
  KBX_TRY(l.expect(o, is_integer(index.kind) && index.kind != Kind::i1, "the index type"));
  auto along = static_cast<size_t>(*axis);
  for (size_t k = 0; k < rank; k++) KBX_TRY(l.expect(o, k == along || s.shape[k] == d.shape[k], "the shapes"));
  Inst i = lanes_inst(l, o.results[0], gather);
  i.flow = Flow::all;
  i.source = index.kind;
  i.y = s.shape[along];
  i.extra = l.new_extra();
  i.extra->split = split_at(index.shape, along);
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

Lowered lower_histogram(Lowering& l, const Op& o) {
  bool masked = o.operands.size() == 2;
  KBX_TRY(l.expect_arity(o, masked ? 2 : 1, 1));
  const Type &s = l.type(o.operands[0]), &d = l.type(o.results[0]);
  if (s.kind != Kind::i32 || d.kind != Kind::i32) return l.not_judged(o, "of these types");
  Inst i = lanes_inst(l, o.results[0], histogram);
  i.flow = Flow::all;
  i.x = s.lanes;
  i.cost = s.lanes;
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  if (masked) {
    const Type& m = l.type(o.operands[1]);
    KBX_TRY(l.expect(o, m.kind == Kind::i1 && m.lanes == s.lanes, "the mask"));
    KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  }
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

constexpr OpRow kRows[] = {
    {"tt.splat", lower_splat},     {"tt.unsplat", lower_reshape},     {"tt.expand_dims", lower_reshape},
    {"tt.reshape", lower_reshape}, {"tt.broadcast", lower_broadcast}, {"tt.trans", lower_trans},
    {"tt.split", lower_split},     {"tt.join", lower_join},           {"tt.cat", lower_cat},
    {"tt.gather", lower_gather},   {"tt.histogram", lower_histogram},
};

}  // namespace

std::span<const OpRow> shuffle_rows() { return kRows; }

}  // namespace kbx::ir
