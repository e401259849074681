// Reductions, scans and matrix products.
#include <algorithm>
#include <bit>

#include "ir/lowering.h"
#include "ir/ops_reduce.h"

namespace kbx::ir {
namespace {

struct Reduction {
  const Block* region = nullptr;
  const Type* type = nullptr;  // of the first operand; the shape of all
  Split split;
  bool is_scan = false;
  size_t count = 0;    // values reduced together
  uint32_t flops = 0;  // of one combine step on one lane
};

Result<Reduction> check(Lowering& l, const Op& o) {
  Reduction r;
  r.is_scan = o.name == "tt.scan";
  r.count = o.operands.size();
  KBX_TRY(l.expect(o, r.count >= 1 && r.count <= 16 && o.results.size() == r.count, "the operands"));
  r.type = &l.type(o.operands[0]);
  auto axis = o.integer("axis", -1);
  KBX_TRY(l.expect(o, axis && *axis >= 0 && static_cast<size_t>(*axis) < r.type->shape.size(), "the axis"));
  r.split = split_at(r.type->shape, static_cast<size_t>(*axis));
  KBX_TRY_ASSIGN(r.region, l.only_block(o, 0, r.is_scan ? "tt.scan.return" : "tt.reduce.return"));
  KBX_TRY(l.expect(o, r.region->arguments.size() == 2 * r.count, "the region's arguments"));
  KBX_TRY(l.expect(o, r.region->ops.back().operands.size() == r.count, "the region's results"));
  uint32_t lanes = r.is_scan ? r.type->lanes : r.split.outer * r.split.inner;
  for (size_t q = 0; q < r.count; q++) {
    const Type& t = l.type(o.operands[q]);
    bool fits = t.shape == r.type->shape && t.kind != Kind::other && l.type(o.results[q]).kind == t.kind &&
                l.type(o.results[q]).lanes == lanes;
    for (size_t side : {q, r.count + q}) {
      const Type& a = l.type(r.region->arguments[side]);
      fits = fits && !a.tensor && a.kind == t.kind;
    }
    const Type& back = l.type(r.region->ops.back().operands[q]);
    KBX_TRY(l.expect(o, fits && !back.tensor && back.kind == t.kind, "the types"));
  }
  return r;
}

// A region that is one commutative operation on its two arguments.
Kernel find_simple(const Reduction& r) {
  if (r.count != 1 || r.region->ops.size() != 2) return nullptr;
  const Op& f = r.region->ops[0];
  const auto& args = r.region->arguments;
  bool both = f.operands.size() == 2 && f.results.size() == 1 && f.results[0] == r.region->ops[1].operands[0] &&
              std::minmax(f.operands[0], f.operands[1]) == std::minmax(args[0], args[1]) && args[0] != args[1];
  if (!both) return nullptr;
  if (r.is_scan) return find_running_fold(f.name, r.type->kind);
  return std::has_single_bit(r.split.length) ? find_fold(f.name, r.type->kind) : nullptr;
}

Lowered lower_region(Lowering& l, const Op& o, Reduction& r, Combine& x) {
  if (l.in_combine()) return l.not_judged(o, "in another reduction");
  uint32_t lanes = r.is_scan ? r.split.inner : std::max(1u, r.type->lanes / 2);
  KBX_TRY_ASSIGN(auto saved, l.spread_outer(o, *r.region, lanes));
  l.begin_combine(x.body, lanes);
  for (size_t q = 0; q < 2 * r.count; q++) (q < r.count ? x.left : x.right).push_back(l.make(r.region->arguments[q]));
  Lowered done;
  for (size_t k = 0; done && k + 1 < r.region->ops.size(); k++) done = l.op(r.region->ops[k]);
  for (size_t q = 0; done && q < r.count; q++) {
    auto s = l.use(o, r.region->ops.back().operands[q]);
    if (s)
      x.result.push_back(*s);
    else
      done = tl::unexpected(s.error());
  }
  l.end_combine();
  l.restore(saved);
  KBX_TRY(done);
  for (size_t q = 0; q < r.count && !r.is_scan; q++) x.temp.push_back(l.fresh(uint64_t{r.type->lanes} * x.bytes[q]));
  for (const Inst& i : x.body) r.flops += i.flops / std::max(1u, i.lanes);
  return {};
}

Lowered lower_reduction(Lowering& l, const Op& o) {
  KBX_TRY_ASSIGN(Reduction r, check(l, o));
  auto reverse = o.integer("reverse", 0);
  KBX_TRY(l.expect(o, reverse.has_value(), "reverse"));
  Extra* extra = l.new_extra();
  extra->split = r.split;
  Combine& x = extra->combine;
  x.reverse = *reverse != 0;
  for (ValueId v : o.operands) {
    KBX_TRY_ASSIGN(uint32_t s, l.use(o, v));
    x.in.push_back(s);
    x.bytes.push_back(static_cast<uint8_t>(lane_bytes(l.type(v).kind)));
  }
  Inst i;
  i.run = find_simple(r);
  if (i.run)
    r.flops = is_float(r.type->kind) ? 1 : 0;
  else {
    KBX_TRY(lower_region(l, o, r, x));
    i.run = r.is_scan ? scan : reduce;
  }
  for (ValueId v : o.results) x.out.push_back(l.make(v));
  i.extra = extra;
  i.flow = r.is_scan ? Flow::scan : Flow::reduce;
  i.kind = r.type->kind;
  if (is_small_float(i.kind)) i.round = i.kind;
  i.lanes = l.type(o.results[0]).lanes;
  i.flops = r.flops * (r.type->lanes - r.split.outer * r.split.inner);
  uint64_t cost = uint64_t{r.type->lanes} * (1 + x.body.size());
  i.cost = static_cast<uint32_t>(std::min<uint64_t>(cost, UINT32_MAX / 2));
  l.emit(i);
  return {};
}

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

constexpr OpRow kRows[] = {{"tt.reduce", lower_reduction}, {"tt.scan", lower_reduction}, {"tt.dot", lower_dot}};

}  // namespace

std::span<const OpRow> reduce_rows() { return kRows; }

}  // namespace kbx::ir
