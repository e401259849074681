// Functions, calls and branches between blocks.
#include <algorithm>
#include <utility>

#include "ir/lowering.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

constexpr std::string_view kTerminators[] = {"tt.return",      "cf.br",
                                             "cf.cond_br",     "ub.unreachable",
                                             "cf.switch",      "tt.reduce.return",
                                             "tt.scan.return", "tt.map_elementwise.return"};
bool is_terminator(const Op& o) {
  return std::find(std::begin(kTerminators), std::end(kTerminators), o.name) != std::end(kTerminators);
}

// The result types of "(f32, f32) -> (f32, !tt.ptr<f32>)".
std::optional<std::vector<Type>> result_types(std::string_view text) {
  size_t arrow = text.rfind("->");
  if (arrow == text.npos) return std::nullopt;
  text = strip(text.substr(arrow + 2));
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::vector<Type> types;
  int depth = 0;
  size_t begin = 0;
  for (size_t k = 0; k <= text.size(); k++) {
    if (k < text.size() && text[k] == '<') depth++;
    if (k < text.size() && text[k] == '>') depth--;
    if (k < text.size() && (text[k] != ',' || depth > 0)) continue;
    std::string_view one = strip(text.substr(begin, k - begin));
    begin = k + 1;
    if (one.empty()) continue;
    auto type = parse_type(one);
    if (!type || types.size() == kMaxMoves) return std::nullopt;
    types.push_back(std::move(*type));
  }
  return types;
}

std::string_view callee_of(const Op& o) {
  std::string_view name = o.text("callee");
  if (name.starts_with('@')) name.remove_prefix(1);
  return unquote(name);
}

Lowered go_to(Lowering& l, const Op& o, std::string_view block, std::span<const ValueId> values) {
  auto found = l.labels.find(block);
  KBX_TRY(l.expect(o, found != l.labels.end(), "an unknown block"));
  Lowering::Label& label = found->second;
  KBX_TRY(l.moves(o, values, label.arguments));
  if (!label.placed) {
    l.forward.push_back({l.jump(Control::jump), block});
    return {};
  }
  uint32_t at = l.jump(Control::back, 0, label.pc);
  return l.add_loop(o, label.pc, at);
}

Lowered lower_branch(Lowering& l, const Op& o) {
  if (l.structured_depth) return l.malformed(o, "inside a structured region");
  KBX_TRY(l.expect(o, o.successors.size() == 1, "the successors"));
  return go_to(l, o, o.successors[0], o.operands);
}

// operandSegmentSizes: condition, values for the first block, for the second.
Lowered lower_conditional(Lowering& l, const Op& o) {
  if (l.structured_depth) return l.malformed(o, "inside a structured region");
  auto segments = o.list("operandSegmentSizes");
  KBX_TRY(l.expect(o, o.successors.size() == 2 && segments && segments->size() == 3 && !o.operands.empty(),
                   "the operands"));
  auto n = static_cast<int64_t>(o.operands.size());
  int64_t yes = (*segments)[1], no = (*segments)[2];
  KBX_TRY(l.expect(o, yes >= 0 && no >= 0 && yes <= n && no <= n && 1 + yes + no == n, "the operands"));
  const Type& t = l.type(o.operands[0]);
  KBX_TRY(l.expect(o, t.kind == Kind::i1 && !t.tensor, "the condition"));
  KBX_TRY_ASSIGN(uint32_t condition, l.operand(o, 0));
  uint32_t branch = l.jump(Control::jump_if_not, condition);
  std::span<const ValueId> values = std::span(o.operands).subspan(1);
  KBX_TRY(go_to(l, o, o.successors[0], values.first(static_cast<size_t>(yes))));
  l.patch(branch, l.here());
  return go_to(l, o, o.successors[1], values.subspan(static_cast<size_t>(yes)));
}

// Of a region that runs lane by lane, or of a function called in it.
Lowered leave_frame(Lowering& l, const Op& o) {
  KBX_TRY(l.expect(o, l.frame != nullptr, "outside of its region"));
  KBX_TRY(l.moves(o, o.operands, l.frame->results));
  l.frame->exits.push_back(l.jump(Control::jump));
  return {};
}

Lowered lower_return(Lowering& l, const Op& o) {
  if (l.frame) return leave_frame(l, o);
  KBX_TRY(l.moves(o, o.operands, l.current->results));
  if (l.current->return_pc)
    l.jump(Control::ret, l.current->return_pc);
  else
    l.jump(Control::end);
  return {};
}
Lowered lower_unreachable(Lowering& l, const Op& o) {
  if (l.frame) return l.not_judged(o, "in a region");
  l.jump(Control::end);
  return {};
}

// A function called by the region of a reduction: its code becomes part of the region's.
Lowered call_in_region(Lowering& l, const Op& o, Lowering::Function& f) {
  if (f.inlining || &f == l.current) return l.not_judged(o, "recursion");
  KBX_TRY(l.expect(o, f.op->regions.size() == 1 && !f.op->regions[0].blocks.empty(), "a function without a body"));
  KBX_TRY(l.expect(o, !f.declared || f.return_pc != 0, "a call of the kernel itself"));
  std::vector<Slot> arguments;
  std::vector<Lowering::Saved> declared;  // the storages of the function when it is called elsewhere
  for (ValueId v : f.op->regions[0].blocks[0].arguments) {
    declared.push_back({v, l.storage(v)});
    uint32_t s = l.make(v);
    arguments.push_back(l.slot(v, s));
  }
  KBX_TRY(l.moves(o, o.operands, arguments));
  Lowering::Frame inner{.memory = l.frame->memory};
  for (ValueId v : o.results) {
    uint32_t s = l.make(v);
    inner.results.push_back(l.slot(v, s));
  }
  Lowering::Frame* outer = std::exchange(l.frame, &inner);
  f.inlining = true;
  Lowered done = l.blocks(o, f.op->regions[0]);
  f.inlining = false;
  l.frame = outer;
  l.restore(declared);
  for (uint32_t at : inner.exits) l.patch(at, l.here());
  return done;
}

}  // namespace

Lowered lower_call(Lowering& l, const Op& o) {
  std::string_view callee = callee_of(o);
  auto found = l.functions.find(callee);
  if (found == l.functions.end()) return l.not_judged(o, "of " + std::string(callee.substr(0, 60)));
  Lowering::Function& f = found->second;
  if (l.frame) return call_in_region(l, o, f);
  if (!f.declared) {
    KBX_TRY(declare_function(l, f));
    l.pending.push_back(found->first);
  }
  KBX_TRY(l.expect(o, f.return_pc != 0, "a call of the kernel itself"));
  l.current->callees.push_back(found->first);
  KBX_TRY(l.moves(o, o.operands, f.arguments));
  Inst i;
  i.control = Control::call;
  i.out = f.return_pc;
  f.call_sites.push_back(l.emit(i));
  KBX_TRY(l.expect(o, o.results.size() == f.results.size(), "the results"));
  for (size_t k = 0; k < o.results.size(); k++) {
    const Type& t = l.type(o.results[k]);
    KBX_TRY(l.expect(o, t.kind == f.results[k].kind && t.lanes == f.results[k].lanes, "the results"));
    uint32_t s = l.make(o.results[k]);
    l.copy({s, t.kind, t.lanes}, f.results[k].storage);
  }
  return {};
}

Lowered declare_function(Lowering& l, Lowering::Function& f) {
  KBX_TRY(l.expect(*f.op, f.op->regions.size() == 1 && !f.op->regions[0].blocks.empty(), "a function without a body"));
  for (ValueId v : f.op->regions[0].blocks[0].arguments) {
    uint32_t s = l.make(v, true);
    f.arguments.push_back(l.slot(v, s));
  }
  auto types = result_types(f.op->text("function_type"));
  KBX_TRY(l.expect(*f.op, types.has_value(), "the function type"));
  for (const Type& t : *types)
    f.results.push_back({l.fresh(uint64_t{t.lanes} * lane_bytes(t.kind), true), t.kind, t.lanes});
  f.return_pc = l.fresh(8, true);
  f.declared = true;
  return {};
}

namespace {

// tt.divisibility of each argument from "[{tt.divisibility = 16 : i32}, {}]".
std::vector<int64_t> divisibilities(std::string_view text, size_t count) {
  std::vector<int64_t> list(count, 1);
  constexpr std::string_view kKey = "tt.divisibility";
  for (size_t k = 0; k < count; k++) {
    size_t open = text.find('{'), close = text.find('}');
    if (open == text.npos || close == text.npos || close < open) break;
    std::string_view one = text.substr(open + 1, close - open - 1);
    text.remove_prefix(close + 1);
    size_t at = one.find(kKey);
    size_t equal = at == one.npos ? one.npos : one.find('=', at);
    if (equal == one.npos) continue;
    std::string_view value = one.substr(equal + 1);
    auto number = scan_integer(value.substr(0, value.find(',')));
    if (number && *number > 0) list[k] = *number;
  }
  return list;
}

}  // namespace

Lowered Lowering::declare_entry(Function& f) {
  KBX_TRY(expect(*f.op, f.op->regions.size() == 1 && !f.op->regions[0].blocks.empty(), "a kernel without a body"));
  const auto& arguments = f.op->regions[0].blocks[0].arguments;
  if (arguments.size() > kMaxMoves) return not_judged(*f.op, "too many arguments");
  std::vector<int64_t> divisibility = divisibilities(f.op->text("arg_attrs"), arguments.size());
  for (size_t k = 0; k < arguments.size(); k++) {
    const Type& t = type(arguments[k]);
    if (t.tensor || t.kind == Kind::other) return not_judged(*f.op, "an argument of an unknown type");
    uint32_t s = make(arguments[k], true);
    set_invariant(arguments[k], true);
    code.arguments.push_back({s, t.kind, divisibility[k]});
  }
  f.declared = true;
  return {};
}

Lowered Lowering::place_blocks(const Op& o, const Region& region) {
  for (size_t k = 0; k < region.blocks.size(); k++) {
    const Block& b = region.blocks[k];
    auto [label, fresh_name] = labels.try_emplace(b.name, Label{&b, false, 0, {}});
    KBX_TRY(expect(o, fresh_name, "two blocks of one name"));
    KBX_TRY(expect(o, !b.ops.empty() && is_terminator(b.ops.back()), "a block without a terminator"));
    if (k == 0) continue;  // nothing branches to the entry: its arguments are the function's
    for (ValueId v : b.arguments) {
      uint32_t s = make(v, !in_combine());
      label->second.arguments.push_back(slot(v, s));
    }
  }
  for (const Block& b : region.blocks) {
    Label& label = labels.at(b.name);
    label.placed = true;
    label.pc = here();
    KBX_TRY(block(b));
  }
  for (const auto& [at, name] : forward) patch(at, labels.at(name).pc);
  return {};
}
Lowered Lowering::blocks(const Op& o, const Region& region) {
  auto outer_labels = std::exchange(labels, {});
  auto outer_forward = std::exchange(forward, {});
  int outer_depth = std::exchange(structured_depth, 0);
  Lowered done = place_blocks(o, region);
  labels = std::move(outer_labels);
  forward = std::move(outer_forward);
  structured_depth = outer_depth;
  return done;
}

Lowered Lowering::lower_function(Function& f) {
  current = &f;
  f.lowered = true;
  f.pc = here();
  KBX_TRY(blocks(*f.op, f.op->regions[0]));
  jump(Control::end);  // nothing falls through into the next function
  return {};
}

// A callee's storages exist once: a cycle of calls would overwrite them.
Lowered Lowering::refuse_recursion() {
  std::unordered_map<std::string_view, size_t> callers;  // calls into a function from functions not yet removed
  for (const auto& [name, f] : functions)
    for (auto c : f.callees) callers[c]++;
  std::vector<std::string_view> ready;
  size_t reached = 0, lowered = 0;
  for (const auto& [name, f] : functions) {
    lowered += f.lowered;
    if (f.lowered && callers[name] == 0) ready.push_back(name);
  }
  while (!ready.empty()) {
    std::string_view name = ready.back();
    ready.pop_back();
    reached++;
    for (auto c : functions.at(name).callees)
      if (--callers[c] == 0) ready.push_back(c);
  }
  if (reached == lowered) return {};
  return fail(Code::usage, "not_judged: tt.call: recursion");
}

Lowered Lowering::run() {
  Function* kernel = nullptr;
  for (const Op& o : module.functions) {
    auto [f, fresh_name] = functions.try_emplace(unquote(o.text("sym_name")));
    KBX_TRY(expect(o, fresh_name, "two functions of one name"));
    f->second.op = &o;
    if (!kernel && unquote(o.text("sym_visibility")) == "public") kernel = &f->second;
  }
  if (!kernel) return fail(Code::usage, "malformed: line 1: no public function");
  KBX_TRY(declare_entry(*kernel));
  KBX_TRY(lower_function(*kernel));
  in_entry_ = false;
  while (!pending.empty()) {
    std::string_view name = pending.back();
    pending.pop_back();
    Function& f = functions.at(name);
    if (!f.lowered) KBX_TRY(lower_function(f));
  }
  KBX_TRY(refuse_recursion());
  for (const auto& [name, f] : functions)
    for (uint32_t at : f.call_sites) code.main[at].x = f.pc;
  return place_storages(*this);
}

namespace {

constexpr OpRow kRows[] = {
    {"cf.br", lower_branch},
    {"cf.cond_br", lower_conditional},
    {"tt.call", lower_call},
    {"tt.return", lower_return},
    {"tt.reduce.return", leave_frame},
    {"tt.scan.return", leave_frame},
    {"tt.map_elementwise.return", leave_frame},
    {"ub.unreachable", lower_unreachable},
};

}  // namespace

std::span<const OpRow> function_rows() { return kRows; }

}  // namespace kbx::ir
