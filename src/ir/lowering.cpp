// What all families of operations share.
#include "ir/lowering.h"

#include <algorithm>
#include <map>

#include "ir/ops_shuffle.h"

namespace kbx::ir {
namespace {

const OpRow* find_op(std::string_view name) {
  static const auto kTable = [] {
    std::unordered_map<std::string_view, const OpRow*> t;
    for (auto rows : {constant_rows(), shuffle_rows(), memory_rows(), reduce_rows(), control_rows(), function_rows(),
                      select_rows(), region_rows(), dot_rows(), asm_rows()})
      for (const auto& row : rows) t[row.name] = &row;
    return t;
  }();
  auto found = kTable.find(name);
  return found == kTable.end() ? nullptr : found->second;
}
const LaneRow* find_lane_op(std::string_view name) {
  static const auto kTable = [] {
    std::unordered_map<std::string_view, const LaneRow*> t;
    for (auto rows : {integer_rows(), float_rows(), compare_rows(), cast_rows(), math_rows(), pointer_rows()})
      for (const auto& row : rows) t[row.name] = &row;
    return t;
  }();
  auto found = kTable.find(name);
  return found == kTable.end() ? nullptr : found->second;
}

std::string refusal(std::string_view verdict, const Op& o, std::string_view why) {
  std::string text(verdict);
  text += ": ";
  text += o.name.substr(0, 80);
  text += ": ";
  return text += why;
}

}  // namespace

Lowering::Lowering(const Module& m, MachineCode& c) : module(m), code(c), storages(1), values_(m.value_types.size()) {}

tl::unexpected<Error> Lowering::malformed(const Op& o, std::string_view why) const {
  return fail(Code::usage, refusal("malformed", o, why));
}
tl::unexpected<Error> Lowering::not_judged(const Op& o, std::string_view why) const {
  return fail(Code::usage, refusal("not_judged", o, why));
}
Lowered Lowering::expect(const Op& o, bool holds, std::string_view why) const {
  if (holds) return {};
  return malformed(o, why);
}
Lowered Lowering::expect_arity(const Op& o, size_t operands, size_t results) const {
  return expect(o, o.operands.size() == operands && o.results.size() == results, "the number of operands or results");
}
Lowered Lowering::reserve_table(const Op& o, uint64_t bytes) {
  table_bytes_ += bytes;
  if (table_bytes_ <= kMaxTableBytes) return {};
  return not_judged(o, "more than 256 MiB of constants and lane tables");
}

uint32_t Lowering::lanes(ValueId v) const {
  const Type& t = type(v);
  return in_combine() && !t.tensor ? combine_lanes_ : t.lanes;
}
Result<uint32_t> Lowering::use(const Op& o, ValueId v) const {
  if (!values_[v].storage) return malformed(o, "an operand that was not computed");
  if (in_combine() && type(v).tensor) return malformed(o, "a tensor in a combine region");
  return values_[v].storage;
}
uint32_t Lowering::fresh(uint64_t bytes, bool fixed) {
  Storage s;
  s.bytes = std::max<uint64_t>(bytes, 8);
  s.fixed = fixed || !in_entry_;
  storages.push_back(s);
  return static_cast<uint32_t>(storages.size() - 1);
}
uint32_t Lowering::make(ValueId v, bool fixed) {
  uint32_t s = fresh(uint64_t{lanes(v)} * lane_bytes(type(v).kind), fixed);
  values_[v] = {s, false};
  return s;
}
bool Lowering::is_invariant(const Op& o) const {
  if (in_combine()) return false;
  return std::all_of(o.operands.begin(), o.operands.end(), [&](ValueId v) { return values_[v].invariant; });
}

Extra* Lowering::new_extra() {
  code.extras.push_back(std::make_unique<Extra>());
  return code.extras.back().get();
}
void Lowering::touch(uint32_t storage, int64_t position) {
  if (in_combine()) return;  // a body lives and dies with its instruction
  Storage& s = storages[storage];
  if (s.first < 0) s.first = position;
  s.last = std::max(s.last, position);
}
uint32_t Lowering::emit(Inst i, bool invariant) {
  i.place = place_;
  i.cost = std::max({i.cost, i.lanes, i.flops / 8});
  if (in_combine()) {
    body_->push_back(i);
    return here() - 1;
  }
  if (invariant) {
    for (uint32_t s : {i.out, i.a, i.b, i.c}) storages[s].fixed = true;
    code.setup.push_back(i);
    return 0;
  }
  uint32_t at = here();
  each_storage(i, [&](uint32_t& s) { touch(s, at); });
  code.main.push_back(i);
  return at;
}
uint32_t Lowering::jump(Control control, uint32_t a, uint32_t target) {
  Inst i;
  i.control = control;
  i.a = a;
  i.x = target;
  return emit(i);
}
void Lowering::copy(const Slot& to, uint32_t from) {
  if (to.storage == from) return;
  Inst i;
  i.run = copy_lanes;
  i.out = to.storage;
  i.a = from;
  i.lanes = to.lanes;
  i.kind = to.kind;
  i.bytes = static_cast<uint8_t>(lane_bytes(to.kind));
  i.flow = Flow::permute;
  emit(i);
}
Lowered Lowering::moves(const Op& o, std::span<const ValueId> from, std::span<const Slot> to) {
  KBX_TRY(expect(o, from.size() == to.size(), "the number of values passed on"));
  if (from.size() > kMaxMoves) return not_judged(o, "too many values passed on");
  std::vector<uint32_t> source;
  for (size_t k = 0; k < from.size(); k++) {
    KBX_TRY_ASSIGN(uint32_t s, use(o, from[k]));
    KBX_TRY(
        expect(o, type(from[k]).kind == to[k].kind && lanes(from[k]) == to[k].lanes, "the type of a value passed on"));
    source.push_back(s);
  }
  // A source that an earlier move overwrites is saved first.
  std::map<uint32_t, uint32_t> written;  // target storage -> first move that writes it
  for (size_t k = 0; k < source.size(); k++) {
    auto w = written.find(source[k]);
    if (w != written.end() && source[k] != to[k].storage) {
      Slot saved{fresh(storages[source[k]].bytes), to[k].kind, to[k].lanes};
      copy(saved, source[k]);
      source[k] = saved.storage;
    }
    written.try_emplace(to[k].storage, static_cast<uint32_t>(k));
  }
  for (size_t k = 0; k < source.size(); k++) copy(to[k], source[k]);
  return {};
}
Lowered Lowering::add_loop(const Op& o, uint32_t begin, uint32_t end) {
  if (in_combine()) return {};
  if (loops.size() >= kMaxLoops) return not_judged(o, "more than 1024 loops");
  loops.push_back({begin, end});
  return {};
}

Lowered Lowering::op(const Op& o) {
  uint32_t outer = place_;
  place_ = static_cast<uint32_t>(code.places.size());
  code.places.push_back({o.name, o.loc});
  Lowered done = dispatch(o);
  if (done) done = lower_claim(*this, o);
  place_ = outer;
  return done;
}
Lowered Lowering::dispatch(const Op& o) {
  if (const LaneRow* row = find_lane_op(o.name)) return lower_lanes(*this, o, *row);
  const OpRow* row = find_op(o.name);
  if (!row) return not_judged(o, "an operation the machine does not have");
  if (in_combine() && !frame && !row->in_combine) return not_judged(o, "in the combine function of a reduction");
  bool memory = o.name == "tt.load" || o.name == "tt.store" || o.name.starts_with("tt.atomic");
  if (frame && memory && !frame->memory) return not_judged(o, "in the combine function of a reduction");
  if (frame && body_->size() > kMaxBody) return not_judged(o, "in a region of more than 20000 instructions");
  return row->lower(*this, o);
}
bool Lowering::is_lane_wise(const Op& o) {
  if (find_lane_op(o.name)) return true;
  const OpRow* row = find_op(o.name);
  return row && row->in_combine;
}
Lowered Lowering::block(const Block& b) {
  for (const Op& o : b.ops) KBX_TRY(op(o));
  return {};
}
Result<const Block*> Lowering::only_block(const Op& o, size_t region, std::string_view terminator) const {
  if (region >= o.regions.size() || o.regions[region].blocks.empty()) return malformed(o, "a region without a block");
  if (o.regions[region].blocks.size() > 1) return not_judged(o, "a region with control flow");
  const Block& b = o.regions[region].blocks[0];
  if (b.ops.empty() || b.ops.back().name != terminator) return malformed(o, "a region without its terminator");
  return &b;
}

Result<std::vector<Lowering::Saved>> Lowering::spread_outer(const Op& o, const Block& b, uint32_t count) {
  std::vector<Saved> saved;
  for (const Op& inner : b.ops)
    for (ValueId v : inner.operands) {
      if (!has_storage(v)) continue;  // of the region itself
      if (std::any_of(saved.begin(), saved.end(), [v](const Saved& s) { return s.value == v; })) continue;
      if (type(v).tensor) return malformed(o, "a tensor of outside in a combine region");
      if (saved.size() >= 64) return not_judged(o, "too many outside values in a combine region");
      Inst i;
      i.run = find_splat(type(v).kind);
      i.lanes = count;
      i.kind = type(v).kind;
      i.bytes = static_cast<uint8_t>(lane_bytes(i.kind));
      i.flow = Flow::permute;
      i.a = values_[v].storage;
      i.out = fresh(uint64_t{count} * i.bytes);
      emit(i);
      saved.push_back({v, values_[v].storage});
      values_[v].storage = i.out;
    }
  return saved;
}
void Lowering::restore(const std::vector<Saved>& saved) {
  for (const Saved& s : saved) values_[s.value].storage = s.storage;
}

void each_storage(Inst& i, const std::function<void(uint32_t&)>& f) {
  for (uint32_t* s : {&i.out, &i.a, &i.b, &i.c})
    if (*s) f(*s);
  if (!i.extra) return;
  for (uint32_t* s : {&i.extra->temp, &i.extra->scaled.a.scales, &i.extra->scaled.b.scales})
    if (*s) f(*s);
  Combine& x = i.extra->combine;
  for (auto* list : {&x.in, &x.out, &x.temp, &x.left, &x.right, &x.result, &x.argument, &x.value})
    for (uint32_t& s : *list) f(s);
  for (Inst& inner : x.body) each_storage(inner, f);
}

Split split_at(const std::vector<uint32_t>& shape, size_t axis) {
  Split s;
  for (size_t k = 0; k < shape.size(); k++) (k < axis ? s.outer : k == axis ? s.length : s.inner) *= shape[k];
  return s;
}

}  // namespace kbx::ir
