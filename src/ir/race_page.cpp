// Pages of race cells.
#include "ir/race_page.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kbx::ir {
namespace {

int slot_of(uint32_t access) { return access == kRead ? 0 : access == kWrite ? 1 : 2; }

// A list of segments under construction; equal neighbours become one.
struct Builder {
  RacePage::Segment made[2 * RacePage::kSegments + 2];
  uint32_t n = 0;
  void add(uint32_t begin, uint32_t end, uint32_t state) {
    if (begin >= end) return;
    if (n && made[n - 1].end == begin && made[n - 1].state == state)
      made[n - 1].end = static_cast<uint16_t>(end);
    else
      made[n++] = {static_cast<uint16_t>(begin), static_cast<uint16_t>(end), state};
  }
};

void update(uint32_t* cell, uint32_t n, uint32_t owner, uint32_t access, uint32_t count) {
  if (access == 0) {
    for (uint32_t k = 0; k < n; k++) cell[k] |= count;
    return;
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t v = cell[k], before = v & ~kFlags;
    uint32_t next = (v & kSeen) == 0 || before == owner ? owner : 0;
    cell[k] = (v & kFlags) | access | count | next;
  }
}
bool any_clash(const uint32_t* cell, uint32_t n, uint32_t owner, uint32_t clash) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t v = cell[k], other = (v & ~kFlags) != owner ? v & clash : 0;
    found |= v & kTold ? 0 : other;
  }
  return found != 0;
}

}  // namespace

void CellPool::Free::operator()(uint32_t* p) const { std::free(p); }

uint32_t* CellPool::take() {
  if (left_ == 0) {
    auto* block = static_cast<uint32_t*>(std::calloc(kBlock * kPageCells, sizeof(uint32_t)));
    if (!block) return nullptr;
    blocks_.emplace_back(block);
    left_ = kBlock;
  }
  return blocks_.back().get() + --left_ * kPageCells;
}

uint32_t* RacePage::dense(CellPool& pool) {
  if (cell) return cell;
  uint32_t* cells = pool.take();
  if (!cells) return nullptr;
  for (uint32_t s = 0; s < segments; s++) std::fill(cells + segment[s].begin, cells + segment[s].end, segment[s].state);
  segments = 0;
  return cell = cells;
}

void RacePage::read(uint32_t* states) const {
  if (cell) {
    std::memcpy(states, cell, kPageCells * sizeof(uint32_t));
    return;
  }
  std::memset(states, 0, kPageCells * sizeof(uint32_t));
  for (uint32_t s = 0; s < segments; s++)
    std::fill(states + segment[s].begin, states + segment[s].end, segment[s].state);
}

bool RacePage::touch(uint32_t begin, uint32_t end, uint32_t owner, uint32_t access, uint32_t count, CellPool& pool,
                     bool& ok) {
  uint32_t clash = access ? clashing(access) : 0;
  touched = true;
  if (!cell) {
    Builder b;
    uint32_t at = begin, fresh = after(0, owner, access, count);
    for (uint32_t s = 0; s < segments; s++) {
      const Segment& old = segment[s];
      uint32_t from = std::max<uint32_t>(old.begin, begin), to = std::min<uint32_t>(old.end, end);
      if (from >= to) {  // no overlap
        if (old.begin >= end) b.add(at, end, fresh), at = end;
        b.add(old.begin, old.end, old.state);
        continue;
      }
      if (clashes(old.state, owner, clash)) return false;
      b.add(old.begin, from, old.state);
      b.add(at, from, fresh);
      b.add(from, to, after(old.state, owner, access, count));
      at = to;
      if (old.end > end) b.add(end, old.end, old.state);
    }
    b.add(at, end, fresh);
    if (b.n <= kSegments) {
      std::memcpy(segment, b.made, b.n * sizeof(Segment));
      segments = static_cast<uint8_t>(b.n);
      return true;
    }
    if (!dense(pool)) {
      ok = false;
      return true;
    }
  }
  if (clash && any_clash(cell + begin, end - begin, owner, clash)) return false;
  update(cell + begin, end - begin, owner, access, count);
  return true;
}

void RacePage::note(uint32_t access, uint32_t place, uint32_t begin, uint32_t end) {
  Source* s = source[slot_of(access)];
  if (s[0].place != place + 1) {
    if (s[1].place != place + 1) s[1] = {place + 1, static_cast<uint16_t>(begin), static_cast<uint16_t>(end)};
    std::swap(s[0], s[1]);
  }
  s[0].low = static_cast<uint16_t>(std::min<uint32_t>(s[0].low, begin));
  s[0].high = static_cast<uint16_t>(std::max<uint32_t>(s[0].high, end));
}

uint32_t RacePage::place_of(uint32_t access, uint32_t cell_index) const {
  const Source* s = source[slot_of(access)];
  for (int k = 0; k < 2; k++)
    if (s[k].place && s[k].low <= cell_index && cell_index < s[k].high) return s[k].place - 1;
  return s[0].place ? s[0].place - 1 : kNoPlace;
}

void RacePage::count(uint64_t& loaded, uint64_t& stored) const {
  for (uint32_t s = 0; s < segments; s++) {
    uint32_t n = segment[s].end - segment[s].begin;
    if (segment[s].state & kLoaded) loaded += n;
    if (segment[s].state & kStored) stored += n;
  }
  if (!cell) return;
  uint32_t l = 0, w = 0;
  for (uint32_t k = 0; k < kPageCells; k++) {
    l += cell[k] / kLoaded & 1;
    w += cell[k] / kStored & 1;
  }
  loaded += l;
  stored += w;
}

}  // namespace kbx::ir
