// Bodies of regions: all lanes at once, or one lane after the other where the code branches.
#include "ir/ops_region.h"

#include <cstring>

#include "ir/definedness.h"
#include "ir/run.h"

namespace kbx::ir {
namespace {

constexpr uint32_t kTurns = 1 << 12;  // jumps backwards between two looks at the clock

// True: the launch ends here.
bool over_limit(Context& c, const Inst& i) {
  Shared& s = *c.shared;
  if (s.stop.load(std::memory_order_relaxed)) return true;
  bool steps = c.steps >= s.limits->steps;
  if (!steps && Steady::now() <= s.limits->deadline) return false;
  FindingKind kind = steps ? FindingKind::step_limit : FindingKind::time_limit;
  if (!s.stop.exchange(true)) s.findings->add(Occurrence{.kind = kind, .place = i.place, .program = c.program});
  return true;
}

bool is_undefined(const Context& c, uint32_t offset) {
  return c.undefined && c.is_tainted(offset) && c.undefined[offset];
}

// The body once, on single lanes. True: an undefined value chose a branch, so that the results are undefined too; a
// lane that nobody looks at may do that, as it may on a GPU.
bool run_lane(Context& c, const Combine& x, uint32_t& turns) {
  const Inst* body = x.body.data();
  bool undefined = false;
  if (x.body.empty() || (++turns % kTurns == 0 && over_limit(c, body[0]))) return false;
  for (size_t pc = 0; pc < x.body.size();) {
    const Inst& i = body[pc];
    c.steps++;
    c.tally[c.pc].flops += i.flops;
    switch (i.control) {
      case Control::run:
        i.run(c, i);
        if (c.undefined) follow_undefined(c, i);
        pc++;
        break;
      case Control::jump:
        pc = i.x;
        break;
      case Control::jump_if_not:
        undefined |= is_undefined(c, i.a);
        pc = *c.at<uint8_t>(i.a) ? pc + 1 : i.x;
        break;
      case Control::for_test:
        undefined |= is_undefined(c, i.a) || is_undefined(c, i.b);
        pc = goes_on(c, i) ? pc + 1 : i.x;
        break;
      case Control::back:
        if (i.out) advance(c, i);
        pc = i.x;
        if (++turns % kTurns == 0 && over_limit(c, i)) return undefined;
        break;
      default:
        return undefined;  // calls are part of the body, and nothing else leaves it
    }
  }
  return undefined;
}

void copy_lane(Context& c, uint32_t to, uint64_t to_lane, uint32_t from, uint64_t from_lane, uint32_t bytes) {
  std::memcpy(c.arena + to + to_lane * bytes, c.arena + from + from_lane * bytes, bytes);
}
void set_defined(Context& c, uint32_t slot, bool defined) {
  c.flags[slot >> 6] = !defined;
  c.undefined[slot] = !defined;
}

// Straight code: every instruction on all lanes.
void run_all(Context& c, const Combine& x, uint32_t lanes) {
  for (const Inst& step : x.body) {
    Inst i = step;
    i.lanes = lanes;
    i.run(c, i);
  }
}

struct Map {
  const Combine& x;
  uint32_t pack, calls;
  size_t operands() const { return x.in.size(); }
  size_t results() const { return x.out.size(); }
  uint32_t slot(size_t k) const { return k < x.left.size() ? x.left[k] : x.right[k - x.left.size()]; }
  uint32_t result_bytes(size_t q) const { return x.bytes[operands() + q]; }
};

void map_all(Context& c, const Map& m) {
  for (size_t q = 0; q < m.operands(); q++)
    for (uint32_t j = 0; j < m.pack; j++)
      for (uint64_t k = 0; k < m.calls; k++)
        copy_lane(c, m.slot(q * m.pack + j), k, m.x.in[q], k * m.pack + j, m.x.bytes[q]);
  run_all(c, m.x, m.calls);
  for (size_t q = 0; q < m.results(); q++)
    for (uint32_t j = 0; j < m.pack; j++)
      for (uint64_t k = 0; k < m.calls; k++)
        copy_lane(c, m.x.out[q], k * m.pack + j, m.x.result[q * m.pack + j], k, m.result_bytes(q));
  if (!c.undefined) return;
  // A result may depend on every operand's element of its own place (lowering saw to that for packs).
  uint32_t lanes = m.pack * m.calls;
  for (size_t q = 0; q < m.results(); q++) {
    uint8_t* d = c.undefined + m.x.out[q];
    std::memset(d, 0, lanes);
    for (uint32_t in : m.x.in)
      for (uint32_t k = 0; c.is_tainted(in) && k < lanes; k++) d[k] |= c.undefined[in + k];
    c.flags[m.x.out[q] >> 6] = std::memchr(d, 1, lanes) != nullptr;
  }
}

void map_one_by_one(Context& c, const Map& m) {
  uint32_t turns = 0;
  if (c.undefined)
    for (uint32_t out : m.x.out) c.flags[out >> 6] = 0;
  for (uint64_t k = 0; k < m.calls && !c.shared->stop.load(std::memory_order_relaxed); k++) {
    for (size_t q = 0; q < m.operands(); q++)
      for (uint32_t j = 0; j < m.pack; j++) {
        uint32_t slot = m.x.argument[q * m.pack + j];
        copy_lane(c, slot, 0, m.x.in[q], k * m.pack + j, m.x.bytes[q]);
        if (c.undefined) set_defined(c, slot, !(c.is_tainted(m.x.in[q]) && c.undefined[m.x.in[q] + k * m.pack + j]));
      }
    bool undefined = run_lane(c, m.x, turns);
    for (size_t q = 0; q < m.results(); q++)
      for (uint32_t j = 0; j < m.pack; j++) {
        uint32_t slot = m.x.value[q * m.pack + j], out = m.x.out[q];
        copy_lane(c, out, k * m.pack + j, slot, 0, m.result_bytes(q));
        if (!c.undefined) continue;
        uint8_t bad = undefined || is_undefined(c, slot);
        c.undefined[out + k * m.pack + j] = bad;
        c.flags[out >> 6] |= bad;
      }
  }
}

}  // namespace

void run_body(Context& c, const Combine& x, uint32_t lanes) {
  if (!x.one_lane) return run_all(c, x, lanes);
  uint32_t turns = 0;
  size_t n = x.left.size();
  for (uint32_t k = 0; k < lanes && !c.shared->stop.load(std::memory_order_relaxed); k++) {
    for (size_t q = 0; q < 2 * n; q++) {
      copy_lane(c, x.argument[q], 0, q < n ? x.left[q] : x.right[q - n], k, x.bytes[q % n]);
      if (c.undefined) set_defined(c, x.argument[q], true);  // the reduction as a whole is followed
    }
    run_lane(c, x, turns);
    for (size_t q = 0; q < n; q++) copy_lane(c, x.result[q], k, x.value[q], 0, x.bytes[q]);
  }
}

void map_elements(Context& c, const Inst& i) {
  Map m{i.extra->combine, i.x, i.lanes / i.x};
  if (m.x.one_lane)
    map_one_by_one(c, m);
  else
    map_all(c, m);
}

}  // namespace kbx::ir
