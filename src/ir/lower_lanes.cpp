// Lane-wise operations: the rows of the ops_*.cpp families, selection, and libdevice calls.
#include <bit>

#include "ir/lowering.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

Signature signature_of(const Lowering& l, const Op& o) {
  Signature s;
  s.op = &o;
  s.operands = o.operands.size();
  if (s.operands > 0) s.a = l.type(o.operands[0]).kind;
  if (s.operands > 1) s.b = l.type(o.operands[1]).kind;
  if (s.operands > 2) s.c = l.type(o.operands[2]).kind;
  s.result = l.type(o.results[0]).kind;
  return s;
}

Lowered emit_lanes(Lowering& l, const Op& o, Kernel kernel, const LaneRow& row) {
  ValueId result = o.results[0];
  uint32_t n = l.lanes(result);
  for (ValueId v : o.operands) KBX_TRY(l.expect(o, l.lanes(v) == n, "operands of different size"));
  Inst i;
  i.run = kernel;
  i.flow = row.flow;
  i.lanes = n;
  i.kind = l.type(result).kind;
  i.source = l.type(o.operands[0]).kind;
  i.bytes = static_cast<uint8_t>(lane_bytes(i.kind));
  i.flops = row.flops * n;
  bool bits = o.name == "tt.bitcast" || o.name == "arith.bitcast";
  if (is_small_float(i.kind) && !bits) i.round = i.kind;
  if (bits && i.kind == Kind::ptr && l.type(result).pointee != l.type(o.operands[0]).pointee)
    l.code.reinterprets_pointers = true;
  if (o.name == "tt.addptr") {
    Kind pointee = l.type(o.operands[0]).pointee;
    if (pointee == Kind::other) return l.not_judged(o, "a pointer to an unknown type");
    i.immediate = std::countr_zero(memory_bytes(pointee));
  }
  uint32_t* fields[] = {&i.a, &i.b, &i.c};
  for (size_t k = 0; k < o.operands.size(); k++) {
    KBX_TRY_ASSIGN(*fields[k], l.operand(o, k));
  }
  bool invariant = l.is_invariant(o);
  i.out = l.make(result, invariant);
  l.set_invariant(result, invariant);
  l.emit(i, invariant);
  return {};
}

Lowered lower_select(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 3, 1));
  const Type& t = l.type(o.results[0]);
  const Type& condition = l.type(o.operands[0]);
  bool one = t.tensor && !condition.tensor;
  uint32_t n = l.lanes(o.results[0]);
  bool same = condition.kind == Kind::i1 && t.kind != Kind::other;
  for (size_t k = 1; k < 3; k++) same = same && l.type(o.operands[k]).kind == t.kind && l.lanes(o.operands[k]) == n;
  KBX_TRY(l.expect(o, same && (one || l.lanes(o.operands[0]) == n), "the types"));
  Inst i;
  i.run = find_select(t.kind, one);
  i.flow = Flow::select;
  i.lanes = n;
  i.kind = t.kind;
  i.bytes = static_cast<uint8_t>(lane_bytes(t.kind));
  i.y = one;
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 2));
  bool invariant = l.is_invariant(o);
  i.out = l.make(o.results[0], invariant);
  l.set_invariant(o.results[0], invariant);
  l.emit(i, invariant);
  return {};
}

Lowered lower_extern(Lowering& l, const Op& o) {
  std::string_view symbol = unquote(o.text("symbol"));
  KBX_TRY(l.expect(o, !o.operands.empty() && o.operands.size() <= 3 && o.results.size() == 1, "the arity"));
  Kernel kernel = find_libdevice(symbol, signature_of(l, o));
  if (!kernel) return l.not_judged(o, std::string(symbol.substr(0, 60)));
  return emit_lanes(l, o, kernel, LaneRow{"", nullptr, 1, Flow::lanes});
}

constexpr OpRow kRows[] = {{"arith.select", lower_select, true}, {"tt.extern_elementwise", lower_extern, true}};

}  // namespace

std::span<const OpRow> select_rows() { return kRows; }

Lowered lower_lanes(Lowering& l, const Op& o, const LaneRow& row) {
  KBX_TRY(l.expect(o, !o.operands.empty() && o.operands.size() <= 3 && o.results.size() == 1, "the arity"));
  Kernel kernel = row.pick(signature_of(l, o));
  if (!kernel) return l.not_judged(o, "of these types or attributes");
  return emit_lanes(l, o, kernel, row);
}

}  // namespace kbx::ir
