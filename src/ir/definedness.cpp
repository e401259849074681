// Definedness flows only where an operand's flag is set: with everything defined the cost is one test an instruction.
#include "ir/definedness.h"

#include <cstring>

#include "ir/ops_shuffle.h"

namespace kbx::ir {
namespace {

// An operand's lanes; 0 where it has none or all are defined.
struct Lanes {
  const uint8_t* p;
  uint8_t operator[](uint64_t k) const { return p ? p[k] : 0; }
};
Lanes lanes_of(const Context& c, uint32_t offset) {
  return {offset && c.is_tainted(offset) ? c.undefined + offset : nullptr};
}

void follow_reduction(Context& c, const Inst& i) {
  const Combine& x = i.extra->combine;
  const Split& s = i.extra->split;
  bool tainted = false, is_scan = i.flow == Flow::scan;
  for (uint32_t in : x.in) tainted |= c.is_tainted(in);
  uint64_t lanes = uint64_t{s.outer} * s.inner * (is_scan ? s.length : 1);
  for (uint32_t out : x.out) {
    c.flags[out >> 6] = tainted;
    if (tainted) std::memset(c.undefined + out, 0, lanes);
  }
  if (!tainted) return;
  for (uint32_t in : x.in) {
    if (!c.is_tainted(in)) continue;
    const uint8_t* u = c.undefined + in;
    for (uint64_t o = 0; o < s.outer; o++)
      for (uint64_t j = 0; j < s.inner; j++) {
        uint8_t seen = 0;  // a scanned lane depends on every lane before it, a reduced one on all
        for (uint64_t step = 0; step < s.length; step++) {
          uint64_t k = is_scan && x.reverse ? s.length - 1 - step : step, at = (o * s.length + k) * s.inner + j;
          seen |= u[at];
          if (is_scan && seen)
            for (uint32_t out : x.out) c.undefined[out + at] = 1;
        }
        if (!is_scan && seen)
          for (uint32_t out : x.out) c.undefined[out + o * s.inner + j] = 1;
      }
  }
}

void follow_dot(Context& c, const Inst& i, uint8_t* d) {
  const DotShape& s = i.extra->dot;
  Lanes a = lanes_of(c, i.a), b = lanes_of(c, i.b), acc = lanes_of(c, i.c);
  for (uint32_t k = 0; k < i.lanes; k++) d[k] = acc[k];
  for (uint64_t q = 0; q < s.batch; q++) {
    for (uint64_t r = 0; a.p && r < s.m; r++)
      if (std::memchr(a.p + (q * s.m + r) * s.k, 1, s.k)) std::memset(d + (q * s.m + r) * s.n, 1, s.n);
    for (uint64_t j = 0; b.p && j < s.n; j++) {
      uint8_t seen = 0;
      for (uint64_t k = 0; k < s.k; k++) seen |= b[(q * s.k + k) * s.n + j];
      for (uint64_t r = 0; seen && r < s.m; r++) d[(q * s.m + r) * s.n + j] = 1;
    }
  }
}

// A defined false (and) or true (or) decides alone; only for single bits, where it decides everything.
void follow_logical(Context& c, const Inst& i, uint8_t* d) {
  Lanes a = lanes_of(c, i.a), b = lanes_of(c, i.b);
  uint8_t decides = i.flow == Flow::logical_or;
  const uint8_t* va = c.at<uint8_t>(i.a);
  const uint8_t* vb = c.at<uint8_t>(i.b);
  for (uint32_t k = 0; k < i.lanes; k++) {
    bool settled = i.kind == Kind::i1 && ((!a[k] && va[k] == decides) || (!b[k] && vb[k] == decides));
    d[k] = (a[k] | b[k]) && !settled;
  }
}

void follow_select(Context& c, const Inst& i, uint8_t* d) {
  Lanes condition = lanes_of(c, i.a), yes = lanes_of(c, i.b), no = lanes_of(c, i.c);
  const uint8_t* m = c.at<uint8_t>(i.a);
  bool one = i.y != 0;
  for (uint32_t k = 0; k < i.lanes; k++) {
    uint32_t at = one ? 0 : k;
    d[k] = condition[at] | (m[at] ? yes[k] : no[k]);
  }
}

}  // namespace

void follow_undefined(Context& c, const Inst& i) {
  if (i.flow == Flow::own) return;
  if (i.flow == Flow::reduce || i.flow == Flow::scan) return follow_reduction(c, i);
  if (!i.out) return;
  Lanes a = lanes_of(c, i.a), b = lanes_of(c, i.b), e = lanes_of(c, i.c);
  uint8_t& flag = c.flags[i.out >> 6];
  if (i.flow == Flow::none || !(a.p || b.p || e.p)) {
    flag = 0;
    return;
  }
  uint8_t* d = c.undefined + i.out;
  switch (i.flow) {
    case Flow::lanes:
      for (uint32_t k = 0; k < i.lanes; k++) d[k] = a[k] | b[k] | e[k];
      break;
    case Flow::select:
      follow_select(c, i, d);
      break;
    case Flow::logical_and:
    case Flow::logical_or:
      follow_logical(c, i, d);
      break;
    case Flow::permute:
      move_undefined(c, i);
      break;
    case Flow::dot:
      follow_dot(c, i, d);
      break;
    default:
      std::memset(d, 1, i.lanes);
  }
  flag = std::memchr(d, 1, i.lanes) != nullptr;
}

}  // namespace kbx::ir
