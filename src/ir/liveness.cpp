// Storages -> arena offsets: storages whose lives do not overlap share a place.
#include <algorithm>
#include <queue>
#include <unordered_map>

#include "ir/lowering.h"

namespace kbx::ir {
namespace {

constexpr uint64_t kSlot = 64;  // the granule of definedness flags
uint64_t padded(uint64_t bytes) { return (bytes + kSlot - 1) / kSlot * kSlot; }

// What is alive when a loop begins and used inside it is alive until the loop ends. Inner loops come first, so one
// pass is enough for nested ones; jumps backwards between blocks may need another.
bool extend_over_loops(std::vector<Storage>& storages, std::vector<Loop> loops) {
  std::sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.end < b.end; });
  for (int pass = 0; pass < 8; pass++) {
    bool changed = false;
    for (const Loop& loop : loops)
      for (Storage& s : storages)
        if (s.first >= 0 && s.first < loop.begin && s.last >= loop.begin && s.last < loop.end) {
          s.last = loop.end;
          changed = true;
        }
    if (!changed) return true;
  }
  return false;
}

}  // namespace

Lowered place_storages(Lowering& l) {
  auto& storages = l.storages;
  if (!extend_over_loops(storages, l.loops)) return fail(Code::usage, "not_judged: cf.br: loops that cross each other");
  uint64_t top = kSlot;
  std::vector<uint32_t> order;
  auto append = [&](Storage& s) {
    s.offset = static_cast<uint32_t>(top);
    top += padded(s.bytes);
    return top <= kMaxArenaBytes;
  };
  auto too_large = [] { return fail(Code::usage, "not_judged: tt.func: one program needs more than 256 MiB"); };
  for (uint32_t k = 1; k < storages.size(); k++) {
    if (!storages[k].fixed && storages[k].first >= 0)
      order.push_back(k);
    else if (!append(storages[k]))
      return too_large();
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return storages[a].first < storages[b].first; });
  using Live = std::pair<int64_t, uint32_t>;  // last use, storage
  std::priority_queue<Live, std::vector<Live>, std::greater<>> live;
  std::unordered_map<uint64_t, std::vector<uint32_t>> spare;  // padded size -> offsets
  for (uint32_t k : order) {
    Storage& s = storages[k];
    while (!live.empty() && live.top().first < s.first) {
      const Storage& gone = storages[live.top().second];
      spare[padded(gone.bytes)].push_back(gone.offset);
      live.pop();
    }
    auto& free = spare[padded(s.bytes)];
    if (!free.empty()) {
      s.offset = free.back();
      free.pop_back();
    } else if (!append(s))
      return too_large();
    live.push({s.last, k});
  }
  l.code.arena_bytes = static_cast<uint32_t>(top);
  auto patch = [&](uint32_t& s) { s = storages[s].offset; };
  for (auto* list : {&l.code.setup, &l.code.main})
    for (Inst& i : *list) each_storage(i, patch);
  for (auto& a : l.code.arguments) patch(a.at);
  for (auto& c : l.code.constants) patch(c.at);
  return {};
}

}  // namespace kbx::ir
