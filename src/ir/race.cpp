// Race cells. Layout of a cell: bits 0-2 accesses seen, 3 a race was told, 4 loaded, 5 stored, 6.. program + 1
// (0 with accesses seen = several programs). Program numbers are kept modulo 2^26 - 1: with more programs than
// that two of them can look like one, and a race between exactly those is missed.
#include "ir/race.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace kbx::ir {
namespace {

constexpr uint32_t kSeen = 7, kTold = 8, kLoaded = 16, kStored = 32, kFlags = 63, kOwnerShift = 6;
constexpr uint32_t kOwners = (1u << 26) - 1;
constexpr uint32_t kRead = 1, kWrite = 2, kAtomic = 4;
constexpr uint32_t kChunk = 256;

uint32_t owner_of(uint32_t program) { return (program % kOwners + 1) << kOwnerShift; }
uint32_t clashing(uint32_t access) {
  return access == kWrite ? kRead | kWrite | kAtomic : access == kRead ? kWrite | kAtomic : kRead | kWrite;
}
int slot_of(uint32_t access) { return access == kRead ? 0 : access == kWrite ? 1 : 2; }
uint32_t worst(uint32_t seen) { return seen & kWrite ? kWrite : seen & kRead ? kRead : kAtomic; }

FindingKind race_kind(uint32_t a, uint32_t b) {
  if (a == kWrite && b == kWrite) return FindingKind::race_store_store;
  if ((a | b) == (kWrite | kRead)) return FindingKind::race_store_load;
  if ((a | b) == (kWrite | kAtomic)) return FindingKind::race_atomic_store;
  return FindingKind::race_atomic_load;
}

// Whether any of the cells saw another program's clashing access and was not told about yet.
bool any_clash(const uint32_t* cell, const uint32_t* mask, uint32_t n, uint32_t me, uint32_t clash) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < n; k++) {
    uint32_t v = cell[k], other = (v & ~kFlags) != me ? v & clash : 0;
    found |= (v & kTold ? 0 : other) & mask[k];
  }
  return found != 0;
}
void update(uint32_t* cell, const uint32_t* mask, uint32_t n, uint32_t me, uint32_t access, uint32_t count) {
  for (uint32_t k = 0; k < n; k++) {
    uint32_t v = cell[k], owner = v & ~kFlags;
    uint32_t next_owner = (v & kSeen) == 0 || owner == me ? me : 0;
    uint32_t next = (v & kFlags) | access | next_owner;
    cell[k] = (mask[k] ? next : v) | count;
  }
}
template <class T>
void compare(const uint8_t* old, const uint8_t* fresh, uint32_t n, uint32_t* mask) {
  for (uint32_t k = 0; k < n; k++) {
    T a, b;
    std::memcpy(&a, old + k * sizeof(T), sizeof(T));
    std::memcpy(&b, fresh + k * sizeof(T), sizeof(T));
    mask[k] = a != b ? ~0u : 0;
  }
}

}  // namespace

RaceShadow::RaceShadow(const std::vector<MemoryRange>& ranges, const Checks& checks, bool byte_cells, FindingLog& log)
    : checks_(checks), memory_(ranges), log_(log) {
  for (const auto& r : ranges) {
    Cells cells;
    cells.granule = byte_cells ? 1 : r.granule;
    cells.count = r.size / cells.granule + 1;
    cells.mapped_bytes = cells.count * sizeof(uint32_t);
    // Fresh pages read as zero and cost memory only once touched.
    void* p =
        mmap(nullptr, cells.mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ok_ = ok_ && p != MAP_FAILED;
    // Cells are no larger than what they watch: fewer, larger pages are worth it. Only a hint.
    if (p != MAP_FAILED && cells.mapped_bytes >= (2u << 20)) madvise(p, cells.mapped_bytes, MADV_HUGEPAGE);
    cells.cell = p == MAP_FAILED ? nullptr : static_cast<uint32_t*>(p);
    cells.pages.resize(cells.count / kPageCells + 1);
    ranges_.push_back(std::move(cells));
  }
}

RaceShadow::~RaceShadow() {
  for (auto& r : ranges_)
    if (r.cell) munmap(r.cell, r.mapped_bytes);
}

void RaceShadow::conflict(Access access, const Touch& t, uint64_t cell, const Page& page, uint32_t state) {
  uint32_t now = static_cast<uint32_t>(access), before = worst(state & clashing(now));
  const Cells& cells = ranges_[static_cast<size_t>(t.range)];
  Occurrence o;
  o.kind = race_kind(now, before);
  o.range = t.range;
  o.offset = static_cast<int64_t>(cell * cells.granule);
  uint32_t owner = state >> kOwnerShift;
  uint32_t place_before = page.place[slot_of(before)];
  // The store (else the atomic) leads; of two stores the later.
  bool now_leads = now == kWrite || (now == kAtomic && before == kRead);
  o.place = now_leads ? t.place : place_before;
  o.other_place = now_leads ? place_before : t.place;
  int64_t earlier = owner ? static_cast<int64_t>(owner) - 1 : -1;
  o.program = now_leads || earlier < 0 ? t.program : static_cast<uint32_t>(earlier);
  o.other_program = now_leads || earlier < 0 ? earlier : t.program;
  if (t.element >= 0 && o.offset >= static_cast<int64_t>(t.offset))
    o.element = t.element + (o.offset - static_cast<int64_t>(t.offset)) / t.element_bytes;
  log_.add(o);
}

void RaceShadow::sweep(Access access, const Touch& t, uint64_t first, uint32_t n, const uint32_t* mask) {
  Cells& cells = ranges_[static_cast<size_t>(t.range)];
  Page& page = cells.pages[first / kPageCells];
  uint32_t* cell = cells.cell + first;
  uint32_t me = owner_of(t.program), a = static_cast<uint32_t>(access), clash = clashing(a);
  uint32_t count = checks_.unique_counts ? (access == Access::read ? kLoaded : kStored) : 0;
  page.touched = true;
  if (!checks_.races) {
    for (uint32_t k = 0; k < n; k++) cell[k] |= count;
    return;
  }
  if (any_clash(cell, mask, n, me, clash))
    for (uint32_t k = 0; k < n; k++) {
      uint32_t v = cell[k];
      if (!mask[k] || (v & kTold) || (v & ~kFlags) == me || !(v & clash)) continue;
      conflict(access, t, first + k, page, v);
      cell[k] |= kTold;
    }
  update(cell, mask, n, me, a, count);
  page.place[slot_of(a)] = t.place;
}

void RaceShadow::touch(Access access, const Touch& t) {
  static constexpr auto kAll = [] {
    std::array<uint32_t, kChunk> all{};
    for (auto& m : all) m = ~0u;
    return all;
  }();
  uint32_t g = ranges_[static_cast<size_t>(t.range)].granule;
  uint64_t end = (t.offset + t.bytes - 1) / g + 1;
  uint32_t changed[kChunk];
  for (uint64_t first = t.offset / g; first < end;) {
    uint64_t stop = std::min({end, first + kChunk, (first / kPageCells + 1) * kPageCells});
    uint32_t n = static_cast<uint32_t>(stop - first);
    const uint32_t* mask = kAll.data();
    if (t.fresh) {
      mask = changed;
      const uint8_t* old = memory_[static_cast<size_t>(t.range)].base + first * g;
      bool whole = first * g >= t.offset && stop * g <= t.offset + t.bytes;
      const uint8_t* fresh = whole ? t.fresh + (first * g - t.offset) : nullptr;
      if (whole && g == 4)
        compare<uint32_t>(old, fresh, n, changed);
      else if (whole && g == 2)
        compare<uint16_t>(old, fresh, n, changed);
      else if (whole && g == 8)
        compare<uint64_t>(old, fresh, n, changed);
      else if (whole && g == 1)
        compare<uint8_t>(old, fresh, n, changed);
      else
        for (uint32_t k = 0; k < n; k++) {
          uint64_t b = std::max((first + k) * g, t.offset), e = std::min((first + k + 1) * g, t.offset + t.bytes);
          changed[k] =
              std::memcmp(memory_[static_cast<size_t>(t.range)].base + b, t.fresh + (b - t.offset), e - b) ? ~0u : 0;
        }
    }
    sweep(access, t, first, n, mask);
    first = stop;
  }
}

// What one thread alone saw of a page: nothing to join, only bytes to count.
void RaceShadow::count_page(const Cells& cells, uint64_t begin, uint64_t end, Counts& counts) {
  uint32_t loaded = 0, stored = 0;
  for (uint64_t k = begin; k < end; k++) {
    loaded += cells.cell[k] / kLoaded & 1;
    stored += cells.cell[k] / kStored & 1;
  }
  counts.unique_load_bytes += uint64_t{loaded} * cells.granule;
  counts.unique_store_bytes += uint64_t{stored} * cells.granule;
}

void RaceShadow::join_page(std::span<RaceShadow* const> threads, size_t range, size_t page, FindingLog& log,
                           Counts& counts) {
  const Cells& some = threads[0]->ranges_[range];
  uint64_t begin = page * kPageCells, end = std::min(begin + kPageCells, some.count), loaded = 0, stored = 0;
  std::vector<RaceShadow*> here;
  for (auto* t : threads)
    if (t->ranges_[range].pages[page].touched) here.push_back(t);
  if (here.empty()) return;
  if (here.size() == 1) return count_page(here[0]->ranges_[range], begin, end, counts);
  for (uint64_t k = begin; k < end; k++) {
    uint32_t all = here[0]->ranges_[range].cell[k];
    const Page* from = &here[0]->ranges_[range].pages[page];
    for (size_t t = 1; t < here.size(); t++) {
      uint32_t v = here[t]->ranges_[range].cell[k];
      const Page& mine = here[t]->ranges_[range].pages[page];
      uint32_t a = worst(all & kSeen), b = worst(v & kSeen);
      bool both = (all & kSeen) && (v & kSeen), harmless = (all & kSeen) == (v & kSeen) && (a == b) && a != kWrite &&
                                                           ((all & kSeen) == kRead || (all & kSeen) == kAtomic);
      if (both && !harmless && !((all | v) & kTold)) {
        if (a == b && a == kRead) a = kAtomic;  // {read, atomic} on both sides
        bool first_leads = a == kWrite || (a == kAtomic && b == kRead);
        Occurrence o;
        o.kind = race_kind(a, b);
        o.range = static_cast<int>(range);
        o.offset = static_cast<int64_t>(k * some.granule);
        uint32_t pa = from->place[slot_of(a)], pb = mine.place[slot_of(b)];
        int64_t oa = static_cast<int64_t>(all >> kOwnerShift) - 1, ob = static_cast<int64_t>(v >> kOwnerShift) - 1;
        o.place = first_leads ? pa : pb;
        o.other_place = first_leads ? pb : pa;
        int64_t lead = first_leads ? oa : ob, other = first_leads ? ob : oa;
        if (lead < 0) std::swap(lead, other);
        o.program = static_cast<uint32_t>(std::max<int64_t>(lead, 0));
        o.other_program = other;
        log.add(o);
        all |= kTold;
      }
      all = ((all | v) & kFlags) | ((all & kSeen) == 0 ? v & ~kFlags : (v & kSeen) == 0 ? all & ~kFlags : 0);
    }
    loaded += (all & kLoaded) != 0;
    stored += (all & kStored) != 0;
  }
  counts.unique_load_bytes += loaded * some.granule;
  counts.unique_store_bytes += stored * some.granule;
}

void RaceShadow::join(std::span<RaceShadow* const> threads, const LaunchSpec& spec, FindingLog& log, Counts& counts) {
  if (threads.empty() || (threads.size() == 1 && !spec.checks.unique_counts)) return;
  for (size_t r = 0; r < spec.ranges.size(); r++)
    for (size_t p = 0; p < threads[0]->ranges_[r].pages.size(); p++) join_page(threads, r, p, log, counts);
}

}  // namespace kbx::ir
