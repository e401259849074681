// The instruction loop.
#include "ir/run.h"

#include "ir/definedness.h"
#include "ir/ops_region.h"

namespace kbx::ir {
namespace {

constexpr int64_t kCredit = 1 << 22;      // lanes between two looks at the clock: a few milliseconds
constexpr uint32_t kAtomicTurns = 256;    // loop turns with atomics after which others may go on
constexpr uint32_t kLoadTurns = 1 << 16;  // the same for plain polling

void tell(Context& c, FindingKind kind, uint32_t place) {
  c.shared->findings->add(Occurrence{.kind = kind, .place = place, .program = c.program});
}

bool is_first_undefined(const Context& c, uint32_t offset) { return c.is_tainted(offset) && c.undefined[offset]; }
void check_branch(Context& c, const Inst& i) {
  bool undefined = (i.control == Control::jump_if_not && is_first_undefined(c, i.a)) ||
                   (i.control == Control::for_test && (is_first_undefined(c, i.a) || is_first_undefined(c, i.b)));
  if (undefined) tell(c, FindingKind::undefined_branch, i.place);
}

// True: the launch ends here.
bool over_limit(Context& c, const RunLimits& limits, uint32_t place) {
  if (c.shared->stop.load(std::memory_order_relaxed)) return true;
  if (Steady::now() <= limits.deadline) return false;
  if (!c.shared->stop.exchange(true)) tell(c, FindingKind::time_limit, place);
  return true;
}
bool over_steps(Context& c, const RunLimits& limits, uint32_t place) {
  if (c.steps < limits.steps) return false;
  if (!c.shared->stop.exchange(true)) tell(c, FindingKind::step_limit, place);
  return true;
}

template <bool kFollow>
Slice run(Context& c, const RunLimits& limits) {
  const Inst* code = c.shared->code->main.data();
  uint64_t atomics = c.updated, loads = c.loaded;
  int64_t credit = kCredit;
  uint32_t turns = 0;
  for (;;) {
    const Inst& i = code[c.pc];
    if ((credit -= i.cost) < 0) {
      if (over_limit(c, limits, i.place)) return Slice::stopped;
      credit = kCredit;
    }
    if (over_steps(c, limits, i.place)) return Slice::stopped;
    c.steps++;
    c.tally[c.pc].runs++;
    if constexpr (kFollow)
      if (i.control != Control::run) check_branch(c, i);
    switch (i.control) {
      case Control::run:
        i.run(c, i);
        if constexpr (kFollow) follow_undefined(c, i);
        c.pc++;
        break;
      case Control::jump:
        c.pc = i.x;
        break;
      case Control::jump_if_not:
        c.pc = *c.at<uint8_t>(i.a) ? c.pc + 1 : i.x;
        break;
      case Control::for_test:
        c.pc = goes_on(c, i) ? c.pc + 1 : i.x;
        break;
      case Control::back:
        if (i.out) advance(c, i);
        c.pc = i.x;
        turns++;
        if (turns % kAtomicTurns == 0 && c.updated != atomics) return Slice::waiting;
        if (turns % kLoadTurns == 0 && c.loaded != loads) return Slice::waiting;
        break;
      case Control::call:
        *c.at<uint32_t>(i.out) = c.pc + 1;
        c.pc = i.x;
        break;
      case Control::ret:
        c.pc = *c.at<uint32_t>(i.a);
        break;
      case Control::end:
        return Slice::ended;
    }
  }
}

}  // namespace

Slice run_slice(Context& c, const RunLimits& limits) {
  return c.undefined ? run<true>(c, limits) : run<false>(c, limits);
}

void run_setup(Context& c) {
  for (const Inst& i : c.shared->code->setup) {
    i.run(c, i);
    if (c.undefined) follow_undefined(c, i);
  }
}

}  // namespace kbx::ir
