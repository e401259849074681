// Race cells of one thread.
#include "ir/race.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kbx::ir {
namespace {

uint32_t worst(uint32_t seen) { return seen & kWrite ? kWrite : seen & kRead ? kRead : kAtomic; }

FindingKind race_kind(uint32_t a, uint32_t b) {
  if (a == kWrite && b == kWrite) return FindingKind::race_store_store;
  if ((a | b) == (kWrite | kRead)) return FindingKind::race_store_load;
  if ((a | b) == (kWrite | kAtomic)) return FindingKind::race_atomic_store;
  return FindingKind::race_atomic_load;
}

// changed[k] = the k-th element differs; returns how many do.
template <class T>
uint32_t compare(const uint8_t* old, const uint8_t* fresh, uint32_t n, uint8_t* changed) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < n; k++) {
    T a, b;
    std::memcpy(&a, old + k * sizeof(T), sizeof(T));
    std::memcpy(&b, fresh + k * sizeof(T), sizeof(T));
    changed[k] = a != b;
    count += a != b;
  }
  return count;
}

// One side of a race.
struct Side {
  uint32_t access, place;
  int64_t program;  // -1: several
};

// The store (else the atomic) leads; of two stores the first argument.
Occurrence occurrence(const Side& a, const Side& b, int range, int64_t offset, uint32_t width) {
  bool a_leads = a.access == kWrite || (a.access == kAtomic && b.access == kRead);
  const Side &first = a_leads ? a : b, &second = a_leads ? b : a;
  Occurrence o;
  o.kind = race_kind(a.access, b.access);
  o.range = range;
  o.offset = offset;
  o.width = width;
  o.place = first.place;
  o.other_place = second.place;
  int64_t lead = first.program, other = second.program;
  if (lead < 0) std::swap(lead, other);
  o.program = static_cast<uint32_t>(std::max<int64_t>(lead, 0));
  o.other_program = other;
  return o;
}
int64_t program_of(uint32_t state) { return static_cast<int64_t>(state >> kOwnerShift) - 1; }

}  // namespace

struct RaceShadow::Piece {
  RacePage& page;
  uint64_t first;       // cell of the range that the page begins with
  uint32_t begin, end;  // cells of the page
  uint32_t granule;
};

void RaceShadow::Free::operator()(RacePage* p) const { std::free(p); }

RaceShadow::RaceShadow(const std::vector<MemoryRange>& ranges, const Checks& checks, bool byte_cells, FindingLog& log)
    : checks_(checks), memory_(ranges), log_(log) {
  for (const auto& r : ranges) {
    Cells cells;
    cells.granule = byte_cells ? 1 : r.granule;
    cells.count = r.size / cells.granule + 1;
    cells.page_count = cells.count / kPageCells + 1;
    cells.pages.reset(static_cast<RacePage*>(std::calloc(cells.page_count, sizeof(RacePage))));
    ok_ = ok_ && cells.pages;
    ranges_.push_back(std::move(cells));
  }
}

void RaceShadow::conflict(uint32_t access, const Touch& t, const Piece& p, uint32_t cell, uint32_t state) {
  uint32_t before = worst(state & clashing(access));
  auto offset = static_cast<int64_t>((p.first + cell) * p.granule);
  Occurrence o = occurrence({access, t.place, t.program}, {before, p.page.place_of(before, cell), program_of(state)},
                            t.range, offset, t.element_bytes);
  if (t.element >= 0 && offset >= static_cast<int64_t>(t.offset))
    o.element = t.element + (offset - static_cast<int64_t>(t.offset)) / t.element_bytes;
  log_.add(o);
}

// Cell by cell: some clash, or not all of them are changed.
void RaceShadow::touch_cells(uint32_t access, const Touch& t, const Piece& p, const uint8_t* changed) {
  uint32_t* cell = p.page.dense(pool_);
  if (!cell) {
    ok_ = false;
    return;
  }
  p.page.touched = true;
  uint32_t owner = owner_of(t.program), clash = clashing(access);
  uint32_t count = access == kRead ? kLoaded : kStored;
  for (uint32_t k = p.begin; k < p.end; k++) {
    uint32_t v = cell[k];
    if (changed && !changed[k - p.begin]) {
      cell[k] = v | count;
      continue;
    }
    if (clashes(v, owner, clash)) {
      conflict(access, t, p, k, v);
      v |= kTold;
    }
    cell[k] = after(v, owner, access, count);
  }
}

uint32_t RaceShadow::count_changed(const Touch& t, const Piece& p, uint8_t* changed) const {
  const uint8_t* base = memory_[static_cast<size_t>(t.range)].base;
  uint64_t g = p.granule, from = (p.first + p.begin) * g, to = (p.first + p.end) * g;
  uint32_t n = p.end - p.begin, count = 0;
  if (from >= t.offset && to <= t.offset + t.bytes) {
    const uint8_t *old = base + from, *fresh = t.fresh + (from - t.offset);
    return g == 4   ? compare<uint32_t>(old, fresh, n, changed)
           : g == 2 ? compare<uint16_t>(old, fresh, n, changed)
           : g == 8 ? compare<uint64_t>(old, fresh, n, changed)
                    : compare<uint8_t>(old, fresh, n, changed);
  }
  for (uint32_t k = 0; k < n; k++) {
    uint64_t b = std::max(from + k * g, t.offset), e = std::min(from + (k + 1) * g, t.offset + t.bytes);
    changed[k] = std::memcmp(base + b, t.fresh + (b - t.offset), e - b) != 0;
    count += changed[k];
  }
  return count;
}

void RaceShadow::touch_piece(uint32_t access, const Touch& t, const Piece& p) {
  uint32_t counted = access == kRead ? kLoaded : kStored;
  if (!checks_.races) {
    p.page.touch(p.begin, p.end, 0, 0, counted, pool_, ok_);
    return;
  }
  uint8_t changed[kPageCells];
  if (t.fresh) {
    uint32_t n = count_changed(t, p, changed);
    if (n == 0) {
      if (checks_.unique_counts) p.page.touch(p.begin, p.end, 0, 0, counted, pool_, ok_);
      return;
    }
    if (n < p.end - p.begin) {
      touch_cells(access, t, p, changed);
      p.page.note(access, t.place, p.begin, p.end);
      return;
    }
  }
  if (!p.page.touch(p.begin, p.end, owner_of(t.program), access, counted, pool_, ok_))
    touch_cells(access, t, p, nullptr);
  p.page.note(access, t.place, p.begin, p.end);
}

void RaceShadow::touch(Access access, const Touch& t) {
  Cells& cells = ranges_[static_cast<size_t>(t.range)];
  uint32_t g = cells.granule;
  uint64_t end = (t.offset + t.bytes - 1) / g + 1;
  for (uint64_t first = t.offset / g; first < end;) {
    uint64_t page = first / kPageCells, stop = std::min(end, (page + 1) * kPageCells);
    touch_piece(static_cast<uint32_t>(access), t,
                {cells.pages.get()[page], page * kPageCells, static_cast<uint32_t>(first - page * kPageCells),
                 static_cast<uint32_t>(stop - page * kPageCells), g});
    first = stop;
  }
}

// Only pages that several threads touched have anything to join.
void RaceShadow::join_page(std::span<RaceShadow* const> threads, size_t range, size_t page, FindingLog& log,
                           RangeCounts& counts) {
  uint64_t loaded = 0, stored = 0;
  uint32_t granule = threads[0]->ranges_[range].granule;
  std::vector<const RacePage*> here;
  for (auto* t : threads)
    if (const RacePage& p = t->ranges_[range].pages.get()[page]; p.touched) here.push_back(&p);
  if (here.empty()) return;
  if (here.size() == 1) {
    here[0]->count(loaded, stored);
  } else {
    uint32_t all[kPageCells], mine[kPageCells];
    here[0]->read(all);
    for (size_t t = 1; t < here.size(); t++) {
      here[t]->read(mine);
      for (uint32_t k = 0; k < kPageCells; k++) {
        uint32_t u = all[k], v = mine[k], su = u & kSeen, sv = v & kSeen;
        bool harmless = su == 0 || sv == 0 || (su == sv && (su == kRead || su == kAtomic));
        if (!harmless && !((u | v) & kTold)) {
          uint32_t a = worst(su), b = worst(sv);
          if (a == b && a == kRead) a = kAtomic;  // {read, atomic} on both sides
          const RacePage* from = here[0];
          for (size_t q = 0; q < t; q++)  // who it was of those joined so far
            if (here[q]->place_of(a, k) != kNoPlace) from = here[q];
          log.add(occurrence({a, from->place_of(a, k), program_of(u)}, {b, here[t]->place_of(b, k), program_of(v)},
                             static_cast<int>(range), static_cast<int64_t>((page * kPageCells + k) * granule),
                             granule));
          u |= kTold;
        }
        all[k] = ((u | v) & kFlags) | (su == 0 ? v & ~kFlags : sv == 0 ? u & ~kFlags : 0);
      }
    }
    for (uint32_t v : all) {
      loaded += (v & kLoaded) != 0;
      stored += (v & kStored) != 0;
    }
  }
  counts.unique_load_bytes += loaded * granule;
  counts.unique_store_bytes += stored * granule;
}

void RaceShadow::join(std::span<RaceShadow* const> threads, const LaunchSpec& spec, FindingLog& log, Report& report) {
  if (threads.empty() || (threads.size() == 1 && !spec.checks.unique_counts)) return;
  for (size_t r = 0; r < spec.ranges.size(); r++) {
    RangeCounts& counts = report.ranges[r];
    for (size_t p = 0; p < threads[0]->ranges_[r].page_count; p++) join_page(threads, r, p, log, counts);
    report.counts.unique_load_bytes += counts.unique_load_bytes;
    report.counts.unique_store_bytes += counts.unique_store_bytes;
  }
}

}  // namespace kbx::ir
