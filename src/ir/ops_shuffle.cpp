// Moving lanes.
#include "ir/ops_shuffle.h"

#include <algorithm>
#include <cstring>

#include "ir/by_width.h"

namespace kbx::ir {
namespace {

template <class T>
void splat(Context& c, const Inst& i) {
  std::fill_n(c.at<T>(i.out), i.lanes, *c.at<T>(i.a));
}
template <class T>
void permute_lanes(T* __restrict d, const T* __restrict a, const uint32_t* __restrict from, uint32_t n) {
  for (uint32_t k = 0; k < n; k++) d[k] = a[from[k]];
}
template <class T>
void permute(Context& c, const Inst& i) {
  permute_lanes(c.at<T>(i.out), c.at<T>(i.a), i.extra->lanes.data(), i.lanes);
}
template <class T>
void spread(T* d, const T* a, const Split& s) {
  for (uint32_t o = 0; o < s.outer; o++, a += s.inner) {
    if (s.inner == 1) {
      std::fill_n(d, s.length, *a);
      d += s.length;
      continue;
    }
    for (uint32_t k = 0; k < s.length; k++, d += s.inner) std::memcpy(d, a, s.inner * sizeof(T));
  }
}
template <class T>
void broadcast(Context& c, const Inst& i) {
  spread(c.at<T>(i.out), c.at<T>(i.a), i.extra->split);
}
template <class T>
void join_lanes(T* d, const T* a, const T* b, const Inst& i) {
  const auto& from = i.extra->lanes;
  for (uint32_t k = 0; k < i.lanes; k++) d[k] = from[k] < i.x ? a[from[k]] : b[from[k] - i.x];
}

int64_t index_at(Context& c, const Inst& i, uint64_t k) {
  switch (i.source) {
    case Kind::i8:
      return c.at<int8_t>(i.b)[k];
    case Kind::i16:
      return c.at<int16_t>(i.b)[k];
    case Kind::i32:
      return c.at<int32_t>(i.b)[k];
    default:
      return c.at<int64_t>(i.b)[k];
  }
}

}  // namespace

void copy_lanes(Context& c, const Inst& i) { std::memcpy(c.arena + i.out, c.arena + i.a, uint64_t{i.lanes} * i.bytes); }
void program_id(Context& c, const Inst& i) { *c.at<int32_t>(i.out) = c.pid[i.x]; }
void program_count(Context& c, const Inst& i) { *c.at<int32_t>(i.out) = c.shared->grid[i.x]; }

void poison(Context& c, const Inst& i) {
  std::memset(c.arena + i.out, 0, uint64_t{i.lanes} * i.bytes);
  if (!c.undefined) return;
  std::memset(c.undefined + i.out, 1, i.lanes);
  c.flags[i.out >> 6] = 1;
}

Kernel find_splat(Kind kind) {
  switch (lane_bytes(kind)) {
    case 1:
      return splat<uint8_t>;
    case 2:
      return splat<uint16_t>;
    case 4:
      return splat<uint32_t>;
    default:
      return splat<uint64_t>;
  }
}
Kernel find_permute(Kind kind) {
  switch (lane_bytes(kind)) {
    case 1:
      return permute<uint8_t>;
    case 2:
      return permute<uint16_t>;
    case 4:
      return permute<uint32_t>;
    default:
      return permute<uint64_t>;
  }
}
Kernel find_broadcast(Kind kind) {
  switch (lane_bytes(kind)) {
    case 1:
      return broadcast<uint8_t>;
    case 2:
      return broadcast<uint16_t>;
    case 4:
      return broadcast<uint32_t>;
    default:
      return broadcast<uint64_t>;
  }
}

void join_two(Context& c, const Inst& i) {
  by_width(i.bytes, [&](auto z) {
    using T = decltype(z);
    join_lanes(c.at<T>(i.out), c.at<T>(i.a), c.at<T>(i.b), i);
  });
}

void gather(Context& c, const Inst& i) {
  const Split& s = i.extra->split;
  Occurrence o{.kind = FindingKind::gather_index, .place = i.place, .count = 0, .program = c.program};
  by_width(i.bytes, [&](auto z) {
    using T = decltype(z);
    const T* a = c.at<T>(i.a);
    T* d = c.at<T>(i.out);
    uint64_t at = 0;
    for (uint32_t out = 0; out < s.outer; out++)
      for (uint32_t k = 0; k < s.length; k++)
        for (uint32_t in = 0; in < s.inner; in++, at++) {
          auto from = static_cast<uint64_t>(index_at(c, i, at));
          if (from >= i.y) {
            if (o.count++ == 0) o.element = static_cast<int64_t>(at), o.distance = static_cast<int64_t>(from);
            from = 0;
          }
          d[at] = a[(uint64_t{out} * i.y + from) * s.inner + in];
        }
  });
  if (o.count) c.shared->findings->add(o);
}

void histogram(Context& c, const Inst& i) {
  int32_t* d = c.at<int32_t>(i.out);
  const uint32_t* a = c.at<uint32_t>(i.a);
  std::fill_n(d, i.lanes, 0);
  for (uint32_t k = 0; k < i.x; k++)
    if (a[k] < i.lanes && (!i.b || c.at<uint8_t>(i.b)[k])) d[a[k]]++;
}

void equal_lanes(Context& c, const Inst& i) {
  const uint8_t *a = c.arena + i.a, *b = c.arena + i.b;
  uint8_t* d = c.arena + i.out;
  uint8_t all = 1;
  for (uint64_t k = 0; k < i.lanes; k++) all &= d[k] = std::memcmp(a + k * i.bytes, b + k * i.bytes, i.bytes) == 0;
  c.arena[i.c] = all;
  if (c.undefined) c.flags[i.c >> 6] = 0;
}

void check_assert(Context& c, const Inst& i) {
  if (!c.shared->checks.asserts) return;
  Occurrence o{.kind = FindingKind::device_assert, .place = i.place, .count = 0, .program = c.program};
  for (uint32_t k = 0; k < i.lanes; k++)
    if (!c.at<uint8_t>(i.a)[k] && o.count++ == 0) o.element = k;
  if (o.count) c.shared->findings->add(o);
}

void move_undefined(Context& c, const Inst& i) {
  uint8_t* d = c.undefined + i.out;
  const uint8_t* a = c.undefined + i.a;
  if (i.run == join_two) {
    bool first = c.is_tainted(i.a), second = c.is_tainted(i.b);
    const auto& from = i.extra->lanes;
    for (uint32_t k = 0; k < i.lanes; k++)
      d[k] = from[k] < i.x ? first && a[from[k]] : second && c.undefined[i.b + from[k] - i.x];
  } else if (i.run == copy_lanes)
    std::memcpy(d, a, i.lanes);
  else if (!i.extra)
    std::memset(d, *a, i.lanes);  // splat
  else if (!i.extra->lanes.empty())
    permute_lanes(d, a, i.extra->lanes.data(), i.lanes);
  else
    spread(d, a, i.extra->split);
}

}  // namespace kbx::ir
