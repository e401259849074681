// tl.multiple_of on a value that a kernel computes: `tt.divisibility` on its operation, from which the compiler for a
// GPU derives how wide an access may be. Scalars are checked, and the first lane of a block that is also said to be
// contiguous, up to 16: more than 16 no access can need.
#include <algorithm>

#include "ir/lowering.h"
#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

constexpr int64_t kMostNeeded = 16;

void check_claim(Context& c, const Inst& i) {
  if (!c.shared->checks.alignment) return;
  if (c.undefined && c.is_tainted(i.a) && c.undefined[i.a]) return;
  int64_t value = i.kind == Kind::i64   ? *c.at<int64_t>(i.a)
                  : i.kind == Kind::i32 ? *c.at<int32_t>(i.a)
                                        : *c.at<int16_t>(i.a);
  if (value % i.immediate == 0) return;
  Occurrence o{.kind = FindingKind::false_divisibility, .place = i.place, .distance = value % i.immediate};
  o.program = c.program;
  c.shared->findings->add(o);
}

// "dense<8> : tensor<1xi32>" -> 8; 1 where it says something else.
int64_t claimed(std::string_view text) {
  constexpr std::string_view kHead = "dense<";
  uint64_t n = 0;
  if (!text.starts_with(kHead)) return 1;
  text.remove_prefix(kHead.size());
  size_t used = scan_unsigned(text, n);
  if (used == 0 || !text.substr(used).starts_with(">")) return 1;
  return static_cast<int64_t>(std::clamp<uint64_t>(n, 1, kMostNeeded));
}

}  // namespace

Lowered lower_claim(Lowering& l, const Op& o) {
  if (o.results.size() != 1 || l.in_combine() || !o.has("tt.divisibility")) return {};
  const Type& t = l.type(o.results[0]);
  bool integer = t.kind == Kind::i64 || t.kind == Kind::i32 || t.kind == Kind::i16;
  bool block = t.shape.size() == 1 && o.has("tt.contiguity");
  int64_t claim = claimed(o.text("tt.divisibility"));
  if (!integer || claim <= 1 || (!t.shape.empty() && !block)) return {};
  Inst i;
  i.run = check_claim;
  i.flow = Flow::own;
  i.kind = t.kind;
  i.immediate = claim;
  KBX_TRY_ASSIGN(i.a, l.use(o, o.results[0]));
  l.emit(i);
  return {};
}

}  // namespace kbx::ir
