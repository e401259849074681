// Matrix products: tt.dot, and tt.dot_scaled on small floats with a scale a block of k.
#include <algorithm>

#include "ir/lowering.h"
#include "ir/ops_dot.h"

namespace kbx::ir {
namespace {

// tf32 = 0, tf32x3 = 1, ieee = 2, bf16x3, bf16x6: all but the first are close to f32.
Lowered lower_dot(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 3, 1));
  const Type &a = l.type(o.operands[0]), &b = l.type(o.operands[1]), &c = l.type(o.operands[2]),
             &d = l.type(o.results[0]);
  size_t rank = d.shape.size();
  bool ranks = (rank == 2 || rank == 3) && a.shape.size() == rank && b.shape.size() == rank;
  KBX_TRY(l.expect(o, ranks && c.shape == d.shape && c.kind == d.kind, "the types"));
  DotShape s;
  s.m = a.shape[rank - 2];
  s.k = a.shape[rank - 1];
  s.n = b.shape[rank - 1];
  bool fits = b.shape[rank - 2] == s.k && d.shape[rank - 2] == s.m && d.shape[rank - 1] == s.n;
  if (rank == 3) {
    s.batch = a.shape[0];
    fits = fits && b.shape[0] == s.batch && d.shape[0] == s.batch;
  }
  KBX_TRY(l.expect(o, fits, "the shapes"));
  s.operand = a.kind;
  s.result = d.kind;
  auto narrow = [](Kind k) { return k == Kind::f32 || is_small_float(k); };
  bool floats = narrow(a.kind) && narrow(b.kind) && narrow(d.kind);
  bool doubles = a.kind == Kind::f64 && b.kind == Kind::f64 && d.kind == Kind::f64;
  bool bytes = a.kind == Kind::i8 && b.kind == Kind::i8 && d.kind == Kind::i32;
  if (!floats && !doubles && !bytes) return l.not_judged(o, "of these types");
  auto precision = o.integer("inputPrecision", 2);
  KBX_TRY(l.expect(o, precision.has_value(), "inputPrecision"));
  s.tf32 = a.kind == Kind::f32 && b.kind == Kind::f32 && *precision == 0;
  Inst i;
  i.run = dot;
  i.flow = Flow::dot;
  i.kind = d.kind;
  i.lanes = d.lanes;
  i.bytes = static_cast<uint8_t>(lane_bytes(d.kind));
  if (is_small_float(d.kind)) i.round = d.kind;
  i.extra = l.new_extra();
  i.extra->dot = s;
  if (s.tf32) i.extra->temp = l.fresh(4 * (uint64_t{a.lanes} + b.lanes));
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 2));
  uint64_t flops = uint64_t{2} * s.batch * s.m * s.n * s.k;  // at most 2^31: each operand is at most 2^20 lanes
  i.flops = static_cast<uint32_t>(std::min<uint64_t>(flops, UINT32_MAX));
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

using Format = ScaledSide::Format;

// Its numbers for element types; 2 (e2m3) and 3 (e3m2) cannot be asked for by a kernel.
Format format_of(int64_t number) {
  constexpr Format kFormats[] = {Format::e4m3, Format::e5m2, Format::none, Format::none,
                                 Format::e2m1, Format::bf16, Format::f16};
  return number >= 0 && number < 7 ? kFormats[number] : Format::none;
}
bool holds(Kind kind, Format format) {
  switch (format) {
    case Format::e4m3:
      return kind == Kind::e4m3 || kind == Kind::i8;
    case Format::e5m2:
      return kind == Kind::e5m2 || kind == Kind::i8;
    case Format::e2m1:
      return kind == Kind::i8;
    case Format::bf16:
      return kind == Kind::bf16;
    case Format::f16:
      return kind == Kind::f16;
    default:
      return false;
  }
}

// Where the scales of a and b stand among the operands (values a and b, the accumulator, scales); 0 = there are none.
struct ScaleOperands {
  size_t a = 0, b = 0;
};
Result<ScaleOperands> scale_operands(Lowering& l, const Op& o) {
  auto segments = o.list("operandSegmentSizes");
  bool five = segments && segments->size() == 5;
  for (size_t k = 0; five && k < 5; k++) five = (*segments)[k] == 1 || (k > 2 && (*segments)[k] == 0);
  if (!five || o.operands.size() != size_t{3} + ((*segments)[3] == 1) + ((*segments)[4] == 1))
    return l.malformed(o, "the operands");
  ScaleOperands at;
  if ((*segments)[3]) at.a = 3;
  if ((*segments)[4]) at.b = o.operands.size() - 1;
  return at;
}

// rows x (k / factor) scales.
Lowered add_scales(Lowering& l, const Op& o, size_t operand, const DotShape& s, uint32_t rows, ScaledSide& side) {
  const Type& t = l.type(o.operands[operand]);
  size_t rank = t.shape.size();
  bool fits = (rank == 2 || rank == 3) && t.shape[rank - 2] == rows && (rank == 2 ? 1 : t.shape[0]) == s.batch;
  KBX_TRY(l.expect(o, fits && s.k % t.shape[rank - 1] == 0, "the shape of the scales"));
  if (t.kind != Kind::i8 && t.kind != Kind::e4m3) return l.not_judged(o, "with scales of this type");
  side.factor = s.k / t.shape[rank - 1];
  if (side.factor != 32 && side.factor != 16) return l.not_judged(o, "with this many elements a scale");
  side.scale = t.kind;
  KBX_TRY_ASSIGN(side.scales, l.operand(o, operand));
  return {};
}

// How the operands are packed, and what is computed in.
Lowered scaled_formats(Lowering& l, const Op& o, ScaledDot& x) {
  Kind a = l.type(o.operands[0]).kind, b = l.type(o.operands[1]).kind;
  x.a.format = format_of(o.integer("a_elem_type", -1).value_or(-1));
  x.b.format = format_of(o.integer("b_elem_type", -1).value_or(-1));
  if (!holds(a, x.a.format) || !holds(b, x.b.format)) return l.not_judged(o, "of these element types");
  x.a.bytes = a == Kind::i8;
  x.b.bytes = b == Kind::i8;
  x.half = x.a.format == Format::f16 || x.b.format == Format::f16;
  if (x.half && (x.a.format == Format::bf16 || x.b.format == Format::bf16)) return l.not_judged(o, "of fp16 and bf16");
  x.fast = o.has("fastMath") && o.text("fastMath") != "false";
  x.a.k_packed = o.text("lhs_k_pack") != "false";
  x.b.k_packed = o.text("rhs_k_pack") != "false";
  return {};
}

Lowered scaled_shape(Lowering& l, const Op& o, DotShape& s, ScaledDot& x) {
  const Type &a = l.type(o.operands[0]), &b = l.type(o.operands[1]), &c = l.type(o.operands[2]),
             &d = l.type(o.results[0]);
  size_t rank = d.shape.size();
  bool ranks = (rank == 2 || rank == 3) && a.shape.size() == rank && b.shape.size() == rank;
  KBX_TRY(l.expect(o, ranks && c.shape == d.shape && c.kind == d.kind, "the types"));
  if (d.kind != Kind::f32) return l.not_judged(o, "with a result of this type");
  KBX_TRY(scaled_formats(l, o, x));
  uint32_t pa = x.a.format == Format::e2m1 ? 2 : 1, pb = x.b.format == Format::e2m1 ? 2 : 1;
  s.batch = rank == 3 ? a.shape[0] : 1;
  s.m = a.shape[rank - 2] * (x.a.k_packed ? 1 : pa);
  s.k = a.shape[rank - 1] * (x.a.k_packed ? pa : 1);
  s.n = b.shape[rank - 1] * (x.b.k_packed ? 1 : pb);
  bool fits = b.shape[rank - 2] * (x.b.k_packed ? pb : 1) == s.k && d.shape[rank - 2] == s.m &&
              d.shape[rank - 1] == s.n && (rank == 2 || (b.shape[0] == s.batch && d.shape[0] == s.batch));
  KBX_TRY(l.expect(o, fits, "the shapes"));
  s.operand = x.half ? Kind::f16 : x.a.format == Format::bf16 || x.b.format == Format::bf16 ? Kind::bf16 : Kind::e4m3;
  s.result = d.kind;
  return {};
}

Lowered lower_scaled(Lowering& l, const Op& o) {
  KBX_TRY(l.expect(o, o.operands.size() >= 3 && o.results.size() == 1, "the operands"));
  KBX_TRY_ASSIGN(ScaleOperands at, scale_operands(l, o));
  Extra* extra = l.new_extra();
  DotShape& s = extra->dot;
  KBX_TRY(scaled_shape(l, o, s, extra->scaled));
  if (at.a) KBX_TRY(add_scales(l, o, at.a, s, s.m, extra->scaled.a));
  if (at.b) KBX_TRY(add_scales(l, o, at.b, s, s.n, extra->scaled.b));
  extra->temp = l.fresh(4 * uint64_t{s.k} * (uint64_t{s.m} + s.n));  // one batch at a time
  Inst i;
  i.run = scaled_dot;
  i.flow = Flow::own;
  i.kind = Kind::f32;
  i.lanes = l.type(o.results[0]).lanes;
  i.extra = extra;
  KBX_TRY_ASSIGN(i.a, l.operand(o, 0));
  KBX_TRY_ASSIGN(i.b, l.operand(o, 1));
  KBX_TRY_ASSIGN(i.c, l.operand(o, 2));
  uint64_t flops = uint64_t{2} * s.batch * s.m * s.n * s.k;
  i.flops = static_cast<uint32_t>(std::min<uint64_t>(flops, UINT32_MAX));
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

constexpr OpRow kRows[] = {{"tt.dot", lower_dot}, {"tt.dot_scaled", lower_scaled}};

}  // namespace

std::span<const OpRow> dot_rows() { return kRows; }

}  // namespace kbx::ir
