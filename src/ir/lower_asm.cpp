// tt.elementwise_inline_asm: the few instructions of PTX that asm_table.cpp knows.
#include <algorithm>

#include "ir/lowering.h"
#include "ir/ops_asm.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

// Elements narrower than a register share one, as many as the pack has.
void add_ports(std::vector<AsmPort>& ports, uint32_t value, Kind kind, uint32_t pack) {
  uint32_t width = memory_bytes(kind), each = width < 4 ? std::min(4 / width, pack) : 1;
  for (uint32_t first = 0; first < pack; first += each) ports.push_back({value, kind, first, each, 0, true});
}

Lowered lower_assembly(Lowering& l, const Op& o) {
  auto pack = o.integer("packed_element", 1);
  size_t n = o.operands.size(), m = o.results.size();
  KBX_TRY(l.expect(o, n <= 16 && m >= 1 && m <= 16 && pack && *pack >= 1 && *pack <= 16, "the operands or the pack"));
  if ((*pack & (*pack - 1)) != 0) return l.not_judged(o, "with a pack that is no power of two");
  uint32_t lanes = l.lanes(o.results[0]);
  Extra* extra = l.new_extra();
  AsmCode& code = extra->assembly;
  Combine& x = extra->combine;
  code.pack = static_cast<uint32_t>(*pack);
  auto usable = [](Kind k) { return k != Kind::other && k != Kind::ptr && k != Kind::i1; };
  for (uint32_t k = 0; k < m; k++) {
    ValueId v = o.results[k];
    KBX_TRY(l.expect(o, l.lanes(v) == lanes, "operands of different size"));
    if (!usable(l.type(v).kind)) return l.not_judged(o, "of this type");
    add_ports(code.outputs, k, l.type(v).kind, code.pack);
  }
  for (ValueId v : o.operands) {
    KBX_TRY(l.expect(o, l.lanes(v) == lanes, "operands of different size"));
    if (!usable(l.type(v).kind)) return l.not_judged(o, "of this type");
    KBX_TRY_ASSIGN(uint32_t s, l.use(o, v));
    add_ports(code.inputs, static_cast<uint32_t>(x.in.size()), l.type(v).kind, code.pack);
    x.in.push_back(s);
  }
  std::string why;
  if (!parse_asm(unquote(o.text("asm_string")), unquote(o.text("constraints")), code, why)) return l.not_judged(o, why);
  for (ValueId v : o.results) x.out.push_back(l.make(v));
  Inst i;
  i.run = run_assembly;
  i.flow = Flow::own;
  i.lanes = lanes;
  i.extra = extra;
  uint64_t cost = uint64_t{lanes} * (1 + code.steps.size());
  i.cost = static_cast<uint32_t>(std::min<uint64_t>(cost, UINT32_MAX / 2));
  l.emit(i);
  return {};
}

constexpr OpRow kRows[] = {{"tt.elementwise_inline_asm", lower_assembly}};

}  // namespace

std::span<const OpRow> asm_rows() { return kRows; }

}  // namespace kbx::ir
