// Atomic read-modify-write and compare-and-swap, on the host's own atomics: other threads run other programs.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "ir/memory.h"
#include "ir/memory_access.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

// B is the unsigned type of the element's bits; the address is aligned.
template <class B, class F>
B update(uint8_t* at, F f) {
  B* cell = reinterpret_cast<B*>(at);
  B old = __atomic_load_n(cell, __ATOMIC_SEQ_CST), fresh;
  do fresh = f(old);
  while (!__atomic_compare_exchange_n(cell, &old, fresh, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}

template <class B>
B combine_ints(Rmw op, B x, B y) {
  using S = std::make_signed_t<B>;
  auto sx = static_cast<S>(x), sy = static_cast<S>(y);
  switch (op) {
    case Rmw::bit_and:
      return x & y;
    case Rmw::bit_or:
      return x | y;
    case Rmw::bit_xor:
      return x ^ y;
    case Rmw::add:
      return static_cast<B>(x + y);
    case Rmw::max:
      return static_cast<B>(std::max(sx, sy));
    case Rmw::min:
      return static_cast<B>(std::min(sx, sy));
    case Rmw::unsigned_max:
      return std::max(x, y);
    case Rmw::unsigned_min:
      return std::min(x, y);
    default:
      return y;
  }
}
// The bits of the sum in the element's own format.
template <class B>
B add_floats(Kind kind, B x, B y) {
  if constexpr (sizeof(B) == 8)
    return std::bit_cast<B>(std::bit_cast<double>(x) + std::bit_cast<double>(y));
  else
    return static_cast<B>(float_to_bits(kind, bits_to_float(kind, x) + bits_to_float(kind, y)));
}

template <class B>
B bits_of_lane(const Inst& i, const uint8_t* lane) {
  if (is_small_float(i.kind)) {
    float f;
    std::memcpy(&f, lane, sizeof f);
    return static_cast<B>(float_to_bits(i.kind, f));
  }
  B b;
  std::memcpy(&b, lane, sizeof b);
  return b;
}
template <class B>
void put_lane(const Inst& i, uint8_t* lane, B bits) {
  if (is_small_float(i.kind)) {
    float f = bits_to_float(i.kind, static_cast<uint32_t>(bits));
    std::memcpy(lane, &f, sizeof f);
    return;
  }
  std::memcpy(lane, &bits, sizeof bits);
}

// Runs `change` (old bits, lane index -> new bits) on every lane that is on and may be touched.
template <class B, class F>
void each_lane(Context& c, const Inst& i, const uint8_t* mask, bool reads, F change) {
  const uint64_t* p = c.at<uint64_t>(i.a);
  uint32_t width = lane_bytes(i.kind);
  Trouble trouble(c, i);
  check_operands(c, i, mask, trouble);
  bool tainted = c.undefined && c.is_tainted(i.c);
  bool backwards = c.shared->accumulation == Accumulation::other;
  for (uint32_t step = 0; step < i.lanes; step++) {
    uint32_t k = backwards ? i.lanes - 1 - step : step;
    uint8_t* out = i.out ? c.arena + i.out + uint64_t{k} * width : nullptr;
    if (out) std::memset(out, 0, width);
    if (mask && !mask[k]) continue;
    Hit hit = find_memory(c, p[k], sizeof(B));
    bool aligned = p[k] % sizeof(B) == 0;
    if (!hit.at || !aligned) {
      trouble.add(hit.at ? FindingKind::misaligned_access : FindingKind::out_of_bounds_atomic, hit, k);
      continue;
    }
    if (c.undefined) {
      uint8_t* map = c.shared->ranges[static_cast<size_t>(hit.range)].undefined;
      if (map && reads && any_set(map + hit.offset, sizeof(B))) trouble.add(FindingKind::undefined_atomic, hit, k);
      if (tainted && c.undefined[i.c + k]) trouble.add(FindingKind::undefined_store, hit, k);
      if (map) std::memset(map + hit.offset, 0, sizeof(B));  // told once; defined from here on
    }
    touch(c, i, Access::atomic, hit, sizeof(B), k, nullptr);
    count(c, Access::atomic, hit.range, sizeof(B));
    B old = update<B>(hit.at, [&](B bits) { return change(bits, k); });
    if (out) put_lane(i, out, old);
  }
  if (c.undefined && i.out) c.flags[i.out >> 6] = 0;
}

template <class F>
void by_width(Kind kind, F f) {
  if (memory_bytes(kind) == 8)
    f(uint64_t{});
  else if (memory_bytes(kind) == 4)
    f(uint32_t{});
  else if (memory_bytes(kind) == 2)
    f(uint16_t{});
  else
    f(uint8_t{});
}

}  // namespace

void atomic_update(Context& c, const Inst& i) {
  auto op = static_cast<Rmw>(i.y);
  const uint8_t* mask = i.b ? c.at<uint8_t>(i.b) : nullptr;
  const uint8_t* value = c.arena + i.c;
  uint32_t width = lane_bytes(i.kind);
  by_width(i.kind, [&](auto z) {
    using B = decltype(z);
    each_lane<B>(c, i, mask, op != Rmw::exchange, [&](B old, uint32_t k) {
      if (op == Rmw::load) return old;
      B operand = bits_of_lane<B>(i, value + uint64_t{k} * width);
      return op == Rmw::float_add ? add_floats<B>(i.kind, old, operand) : combine_ints<B>(op, old, operand);
    });
  });
}

void atomic_compare(Context& c, const Inst& i) {
  const uint8_t* expected = c.arena + i.b;
  const uint8_t* value = c.arena + i.c;
  uint32_t width = lane_bytes(i.kind);
  by_width(i.kind, [&](auto z) {
    using B = decltype(z);
    each_lane<B>(c, i, nullptr, true, [&](B old, uint32_t k) {
      return old == bits_of_lane<B>(i, expected + uint64_t{k} * width) ? bits_of_lane<B>(i, value + uint64_t{k} * width)
                                                                       : old;
    });
  });
}

}  // namespace kbx::ir
