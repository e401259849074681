// Structured control flow: for, if, while become jumps; the values they pass on become copies.
#include "ir/lowering.h"

namespace kbx::ir {
namespace {

class Deeper {  // cf branches are refused inside structured regions
 public:
  explicit Deeper(int& depth) : depth_(depth) { depth_++; }
  ~Deeper() { depth_--; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

std::vector<Slot> make_all(Lowering& l, std::span<const ValueId> values) {
  std::vector<Slot> slots;
  for (ValueId v : values) {
    uint32_t s = l.make(v);  // before slot(): no order among arguments
    slots.push_back(l.slot(v, s));
  }
  return slots;
}
bool is_scalar(const Type& t, Kind kind) { return !t.tensor && t.kind == kind; }

Lowered lower_for(Lowering& l, const Op& o) {
  Deeper deeper(l.structured_depth);
  KBX_TRY(l.expect(o, o.operands.size() >= 3 && o.results.size() == o.operands.size() - 3, "the operands"));
  KBX_TRY_ASSIGN(const Block* b, l.only_block(o, 0, "scf.yield"));
  KBX_TRY(l.expect(o, b->arguments.size() == o.results.size() + 1, "the region's arguments"));
  const Type& t = l.type(b->arguments[0]);
  if (!is_scalar(t, Kind::i32) && !is_scalar(t, Kind::i64)) return l.not_judged(o, "over this type");
  for (size_t k = 0; k < 3; k++) KBX_TRY(l.expect(o, is_scalar(l.type(o.operands[k]), t.kind), "the bounds"));
  if (o.has("unsignedCmp") && o.text("unsignedCmp") != "false") return l.not_judged(o, "with unsigned bounds");

  std::span<const ValueId> carried_ids = std::span(b->arguments).subspan(1);
  uint32_t counter = l.make(b->arguments[0]);
  std::vector<Slot> carried = make_all(l, carried_ids);
  KBX_TRY_ASSIGN(uint32_t low, l.operand(o, 0));
  KBX_TRY_ASSIGN(uint32_t high, l.operand(o, 1));
  KBX_TRY_ASSIGN(uint32_t step, l.operand(o, 2));
  l.copy({counter, t.kind, 1}, low);
  KBX_TRY(l.moves(o, std::span(o.operands).subspan(3), carried));
  uint32_t start = l.here();
  Inst test;
  test.control = Control::for_test;
  test.kind = t.kind;
  test.a = counter;
  test.b = high;
  uint32_t test_at = l.emit(test);
  KBX_TRY(l.block(*b));
  KBX_TRY(l.moves(b->ops.back(), b->ops.back().operands, carried));
  Inst back;
  back.control = Control::back;
  back.kind = t.kind;
  back.out = counter;
  back.a = step;
  back.x = start;
  uint32_t end = l.emit(back);
  l.patch(test_at, l.here());
  KBX_TRY(l.add_loop(o, start, end));
  for (const Slot& s : carried) l.touch(s.storage, end);
  for (size_t k = 0; k < o.results.size(); k++) {
    KBX_TRY(l.expect(o, l.type(o.results[k]).kind == carried[k].kind && l.type(o.results[k]).lanes == carried[k].lanes,
                     "the results"));
    l.alias(o.results[k], carried[k].storage, false);
  }
  return {};
}

Lowered lower_if(Lowering& l, const Op& o) {
  Deeper deeper(l.structured_depth);
  KBX_TRY(l.expect(o, o.operands.size() == 1 && is_scalar(l.type(o.operands[0]), Kind::i1), "the condition"));
  KBX_TRY_ASSIGN(const Block* yes, l.only_block(o, 0, "scf.yield"));
  bool has_else = o.regions.size() > 1 && !o.regions[1].blocks.empty();
  KBX_TRY(l.expect(o, has_else || o.results.empty(), "results without an else"));
  std::vector<Slot> results = make_all(l, o.results);
  KBX_TRY_ASSIGN(uint32_t condition, l.operand(o, 0));
  uint32_t branch = l.jump(Control::jump_if_not, condition);
  KBX_TRY(l.block(*yes));
  KBX_TRY(l.moves(yes->ops.back(), yes->ops.back().operands, results));
  if (!has_else) {
    l.patch(branch, l.here());
    return {};
  }
  uint32_t out = l.jump(Control::jump);
  l.patch(branch, l.here());
  KBX_TRY_ASSIGN(const Block* no, l.only_block(o, 1, "scf.yield"));
  KBX_TRY(l.block(*no));
  KBX_TRY(l.moves(no->ops.back(), no->ops.back().operands, results));
  l.patch(out, l.here());
  return {};
}

Lowered lower_while(Lowering& l, const Op& o) {
  Deeper deeper(l.structured_depth);
  KBX_TRY_ASSIGN(const Block* before, l.only_block(o, 0, "scf.condition"));
  KBX_TRY_ASSIGN(const Block* after, l.only_block(o, 1, "scf.yield"));
  const Op& condition = before->ops.back();
  KBX_TRY(l.expect(o, after->arguments.size() == o.results.size(), "the region's arguments"));
  KBX_TRY(
      l.expect(o, !condition.operands.empty() && is_scalar(l.type(condition.operands[0]), Kind::i1), "the condition"));
  std::vector<Slot> in = make_all(l, before->arguments), out = make_all(l, o.results);
  for (size_t k = 0; k < out.size(); k++) {
    const Type& t = l.type(after->arguments[k]);
    KBX_TRY(l.expect(o, t.kind == out[k].kind && t.lanes == out[k].lanes, "the region's arguments"));
    l.alias(after->arguments[k], out[k].storage, false);
  }
  KBX_TRY(l.moves(o, o.operands, in));
  uint32_t start = l.here();
  KBX_TRY(l.block(*before));
  KBX_TRY_ASSIGN(uint32_t go_on, l.use(condition, condition.operands[0]));
  // The condition may be one of the values that the moves overwrite.
  Slot kept{l.fresh(8), Kind::i1, 1};
  l.copy(kept, go_on);
  KBX_TRY(l.moves(condition, std::span(condition.operands).subspan(1), out));
  uint32_t leave = l.jump(Control::jump_if_not, kept.storage);
  KBX_TRY(l.block(*after));
  KBX_TRY(l.moves(after->ops.back(), after->ops.back().operands, in));
  uint32_t end = l.jump(Control::back, 0, start);
  l.patch(leave, l.here());
  KBX_TRY(l.add_loop(o, start, end));
  for (const Slot& s : in) l.touch(s.storage, end);
  return {};
}

// Terminators are handled by the operation they belong to.
Lowered lower_terminator(Lowering& l, const Op& o) {
  return l.expect(o, l.structured_depth > 0, "outside of its region");
}

constexpr OpRow kRows[] = {
    {"scf.for", lower_for},
    {"scf.if", lower_if},
    {"scf.while", lower_while},
    {"scf.yield", lower_terminator},
    {"scf.condition", lower_terminator},
};

}  // namespace

std::span<const OpRow> control_rows() { return kRows; }

}  // namespace kbx::ir
