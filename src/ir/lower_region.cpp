// The regions of reductions, scans and maps: straight code runs on many lanes at once; code with branches, loops or
// calls, one lane at a time. And tt.map_elementwise, which is such a region and nothing else.
#include <algorithm>

#include "ir/lower_region.h"
#include "ir/ops_region.h"

namespace kbx::ir {
namespace {

bool is_straight(const Region& r) {
  const auto& ops = r.blocks[0].ops;
  return r.blocks.size() == 1 && std::all_of(ops.begin(), ops.end() - 1, Lowering::is_lane_wise);
}

Lowered straight(Lowering& l, const Op& o, const RegionShape& shape, Combine& x) {
  const Block& b = shape.region->blocks[0];
  KBX_TRY_ASSIGN(auto saved, l.spread_outer(o, b, shape.lanes));
  l.begin_combine(x.body, shape.lanes);
  std::vector<uint32_t> slots;
  for (ValueId v : b.arguments) slots.push_back(l.make(v));
  x.left.assign(slots.begin(), slots.begin() + static_cast<ptrdiff_t>(slots.size() / 2));
  x.right.assign(slots.begin() + static_cast<ptrdiff_t>(slots.size() / 2), slots.end());
  Lowered done;
  for (size_t k = 0; done && k + 1 < b.ops.size(); k++) done = l.op(b.ops[k]);
  for (ValueId v : b.ops.back().operands) {
    if (!done) break;
    auto s = l.use(o, v);
    if (s)
      x.result.push_back(*s);
    else
      done = tl::unexpected(s.error());
  }
  l.end_combine();
  l.restore(saved);
  return done;
}

Lowered branching(Lowering& l, const Op& o, const RegionShape& shape, Combine& x) {
  x.one_lane = true;
  l.begin_combine(x.body, 1);
  for (ValueId v : shape.region->blocks[0].arguments) x.argument.push_back(l.make(v));
  Lowering::Frame frame{.memory = shape.memory};
  for (Kind k : shape.results) {
    frame.results.push_back({l.fresh(8), k, 1});
    x.value.push_back(frame.results.back().storage);
  }
  l.frame = &frame;
  Lowered done = l.blocks(o, *shape.region);
  l.frame = nullptr;
  for (uint32_t at : frame.exits) l.patch(at, l.here());
  l.end_combine();
  // The lanes before and after one step.
  for (size_t q = 0; q < shape.arguments.size(); q++) {
    uint32_t s = l.fresh(uint64_t{shape.lanes} * lane_bytes(shape.arguments[q]));
    (q < shape.arguments.size() / 2 ? x.left : x.right).push_back(s);
  }
  for (Kind k : shape.results) x.result.push_back(l.fresh(uint64_t{shape.lanes} * lane_bytes(k)));
  return done;
}

// A map with `pack` elements a call: element j of a call's results may depend on element j of its operands only, for
// which elements meet in a call is the layout's choice. Follows sets of j through straight code and scf.if.
class PackCheck {
 public:
  explicit PackCheck(size_t pack) : pack_(pack) {}
  bool keeps_apart(const Region& region) {
    const Block& b = region.blocks[0];
    for (size_t k = 0; k < b.arguments.size(); k++) sets_[b.arguments[k]] = uint64_t{1} << k % pack_;
    if (region.blocks.size() != 1) return false;
    follow(b);
    const auto& results = b.ops.back().operands;
    for (size_t k = 0; k < results.size(); k++)
      if (of(results[k]) & ~(uint64_t{1} << k % pack_)) return false;
    return true;
  }

 private:
  uint64_t of(ValueId v) const {
    auto found = sets_.find(v);
    return found == sets_.end() ? 0 : found->second;
  }
  void follow(const Block& b) {
    for (const Op& o : b.ops) {
      uint64_t all = o.name == "tt.call" || o.successors.size() ? ~uint64_t{0} : 0;
      for (ValueId v : o.operands) all |= of(v);
      bool is_if = o.name == "scf.if";
      for (const Region& r : o.regions)
        for (const Block& inner : r.blocks) {
          if (!is_if)
            for (ValueId v : inner.arguments) sets_[v] = ~uint64_t{0};
          follow(inner);
        }
      for (size_t k = 0; k < o.results.size(); k++) {
        uint64_t set = all;
        for (const Region& r : o.regions)
          set |= !is_if                                        ? ~uint64_t{0}
                 : r.blocks.empty() || r.blocks[0].ops.empty() ? 0
                 : k < r.blocks[0].ops.back().operands.size()  ? of(r.blocks[0].ops.back().operands[k])
                                                               : 0;
        sets_[o.results[k]] = set;
      }
    }
  }
  size_t pack_;
  std::unordered_map<ValueId, uint64_t> sets_;
};

Lowered lower_map(Lowering& l, const Op& o) {
  auto pack = o.integer("pack", 1);
  size_t n = o.operands.size(), m = o.results.size();
  KBX_TRY(l.expect(o, n >= 1 && n <= 32 && m >= 1 && m <= 32 && o.regions.size() == 1, "the operands"));
  const Type& t = l.type(o.operands[0]);
  bool fits = pack && *pack >= 1 && *pack <= 64 && t.tensor;
  KBX_TRY(l.expect(o, fits && !o.regions[0].blocks.empty(), "the operands or the region"));
  auto p = static_cast<uint32_t>(*pack);
  if (t.lanes % p) return l.not_judged(o, "of fewer elements than its pack");
  if (p > 1 && !PackCheck(p).keeps_apart(o.regions[0])) return l.not_judged(o, "that mixes the elements of a pack");
  Extra* extra = l.new_extra();
  Combine& x = extra->combine;
  RegionShape shape{.region = &o.regions[0]};
  shape.lanes = t.lanes / p;
  shape.memory = true;
  for (ValueId v : o.operands) {
    KBX_TRY(l.expect(o, l.type(v).tensor && l.lanes(v) == t.lanes && l.type(v).kind != Kind::other, "the types"));
    KBX_TRY_ASSIGN(uint32_t s, l.use(o, v));
    x.in.push_back(s);
    x.bytes.push_back(static_cast<uint8_t>(lane_bytes(l.type(v).kind)));
    shape.arguments.insert(shape.arguments.end(), p, l.type(v).kind);
  }
  for (ValueId v : o.results) {
    KBX_TRY(l.expect(o, l.type(v).tensor && l.lanes(v) == t.lanes && l.type(v).kind != Kind::other, "the types"));
    x.bytes.push_back(static_cast<uint8_t>(lane_bytes(l.type(v).kind)));
    shape.results.insert(shape.results.end(), p, l.type(v).kind);
  }
  KBX_TRY(lower_body(l, o, shape, x));
  for (ValueId v : o.results) x.out.push_back(l.make(v));
  Inst i;
  i.run = map_elements;
  i.flow = Flow::own;
  i.lanes = t.lanes;
  i.x = p;
  i.extra = extra;
  uint64_t flops = 0, cost = uint64_t{t.lanes} * (1 + x.body.size());
  for (const Inst& step : x.body) flops += x.one_lane ? 0 : step.flops;
  i.flops = static_cast<uint32_t>(std::min<uint64_t>(flops, UINT32_MAX));
  i.cost = static_cast<uint32_t>(std::min<uint64_t>(cost, UINT32_MAX / 2));
  l.emit(i);
  return {};
}

constexpr OpRow kRows[] = {{"tt.map_elementwise", lower_map}};

}  // namespace

Lowered lower_body(Lowering& l, const Op& o, const RegionShape& shape, Combine& x) {
  if (l.in_combine()) return l.not_judged(o, "in another reduction");
  const auto& blocks = shape.region->blocks;
  KBX_TRY(l.expect(o, !blocks.empty() && !blocks[0].ops.empty(), "a region without a block"));
  KBX_TRY(l.expect(o, blocks[0].arguments.size() == shape.arguments.size(), "the region's arguments"));
  for (size_t k = 0; k < shape.arguments.size(); k++) {
    const Type& t = l.type(blocks[0].arguments[k]);
    KBX_TRY(l.expect(o, !t.tensor && t.kind == shape.arguments[k], "the types"));
  }
  if (!is_straight(*shape.region)) return branching(l, o, shape, x);
  const Op& last = blocks[0].ops.back();
  KBX_TRY(l.expect(o, last.name == std::string(o.name) + ".return", "a region without its terminator"));
  KBX_TRY(l.expect(o, last.operands.size() == shape.results.size(), "the region's results"));
  for (size_t k = 0; k < shape.results.size(); k++) {
    const Type& t = l.type(last.operands[k]);
    KBX_TRY(l.expect(o, !t.tensor && t.kind == shape.results[k], "the types"));
  }
  return straight(l, o, shape, x);
}

std::span<const OpRow> region_rows() { return kRows; }

}  // namespace kbx::ir
