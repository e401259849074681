// Reductions and scans.
#include <algorithm>
#include <bit>

#include "ir/lower_region.h"
#include "ir/ops_reduce.h"

namespace kbx::ir {
namespace {

struct Reduction {
  const Region* region = nullptr;
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
  KBX_TRY(l.expect(o, o.regions.size() == 1, "a region without a block"));
  r.region = &o.regions[0];
  uint32_t lanes = r.is_scan ? r.type->lanes : r.split.outer * r.split.inner;
  for (size_t q = 0; q < r.count; q++) {
    const Type& t = l.type(o.operands[q]);
    bool fits = t.shape == r.type->shape && t.kind != Kind::other && l.type(o.results[q]).kind == t.kind &&
                l.type(o.results[q]).lanes == lanes;
    KBX_TRY(l.expect(o, fits, "the types"));
  }
  return r;
}

// A region that is one commutative operation on its two arguments.
Kernel find_simple(const Reduction& r) {
  if (r.count != 1 || r.region->blocks.size() != 1) return nullptr;
  const Block& b = r.region->blocks[0];
  if (b.ops.size() != 2 || b.arguments.size() != 2 || b.ops[1].operands.size() != 1) return nullptr;
  const Op& f = b.ops[0];
  const auto& args = b.arguments;
  bool both = f.operands.size() == 2 && f.results.size() == 1 && f.results[0] == b.ops[1].operands[0] &&
              std::minmax(f.operands[0], f.operands[1]) == std::minmax(args[0], args[1]) && args[0] != args[1];
  if (!both) return nullptr;
  if (r.is_scan) return find_running_fold(f.name, r.type->kind);
  return std::has_single_bit(r.split.length) ? find_fold(f.name, r.type->kind) : nullptr;
}

Lowered lower_general(Lowering& l, const Op& o, Reduction& r, Combine& x) {
  RegionShape shape{.region = r.region};
  for (ValueId v : o.operands) shape.results.push_back(l.type(v).kind);
  for (int side = 0; side < 2; side++)
    shape.arguments.insert(shape.arguments.end(), shape.results.begin(), shape.results.end());
  shape.lanes = r.is_scan ? r.split.inner : std::max(1u, r.type->lanes / 2);
  KBX_TRY(lower_body(l, o, shape, x));
  for (size_t q = 0; q < r.count && !r.is_scan; q++) x.temp.push_back(l.fresh(uint64_t{r.type->lanes} * x.bytes[q]));
  for (const Inst& i : x.body) r.flops += x.one_lane ? 0 : i.flops / std::max(1u, i.lanes);
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
    KBX_TRY(lower_general(l, o, r, x));
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

constexpr OpRow kRows[] = {{"tt.reduce", lower_reduction}, {"tt.scan", lower_reduction}};

}  // namespace

std::span<const OpRow> reduce_rows() { return kRows; }

}  // namespace kbx::ir
