// The states of cells against a plain list of everything that was done: races found, bytes counted.
#include "ir/race.h"

#include <map>
#include <set>

#include "fixture.h"

namespace kbx::ir {
namespace {

constexpr uint64_t kCells = 5000;

struct Random {
  uint64_t state;
  uint64_t operator()(uint64_t n) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % n;
  }
};

// What each cell saw: (access, program).
using Seen = std::map<uint64_t, std::set<std::pair<uint32_t, uint32_t>>>;

size_t racing_cells(const Seen& seen) {
  size_t n = 0;
  for (const auto& [cell, all] : seen) {
    bool race = false;
    for (const auto& [a, p] : all)
      for (const auto& [b, q] : all) race |= p != q && (clashing(a) & b) != 0;
    n += race;
  }
  return n;
}

struct World {
  std::vector<uint32_t> memory = std::vector<uint32_t>(kCells, 7);
  std::vector<uint32_t> fresh = std::vector<uint32_t>(kCells, 9);
  MachineCode code;
  LaunchSpec spec;
  std::unique_ptr<FindingLog> log;
  std::vector<std::unique_ptr<RaceShadow>> shadows;
  Seen seen;
  std::set<uint64_t> loaded, stored;

  explicit World(size_t threads) {
    spec.grid = {1 << 20, 1, 1};
    spec.ranges.push_back({reinterpret_cast<uint8_t*>(memory.data()), kCells * 4, nullptr, 4, 0});
    spec.checks = {.races = true, .unique_counts = true};
    log = std::make_unique<FindingLog>(code, spec);
    for (size_t t = 0; t < threads; t++)
      shadows.push_back(std::make_unique<RaceShadow>(spec.ranges, spec.checks, false, *log));
  }
  void touch(size_t thread, Access access, uint64_t first, uint64_t n, uint32_t program, bool changes) {
    n = std::min(n, kCells - first);
    RaceShadow::Touch t;
    t.offset = first * 4;
    t.bytes = n * 4;
    t.program = program;
    t.element_bytes = 4;
    if (access == Access::write) t.fresh = reinterpret_cast<const uint8_t*>((changes ? fresh : memory).data() + first);
    shadows[thread]->touch(access, t);
    for (uint64_t k = first; k < first + n; k++) {
      (access == Access::read ? loaded : stored).insert(k);
      if (access != Access::write || changes) seen[k].insert({static_cast<uint32_t>(access), program});
    }
  }
  // (cells told, unique loaded bytes, unique stored bytes)
  std::array<uint64_t, 3> finish() {
    std::vector<RaceShadow*> all;
    for (auto& s : shadows) all.push_back(s.get());
    Report report;
    report.ranges.resize(1);
    RaceShadow::join(all, spec, *log, report);
    log->move_into(report);
    uint64_t told = 0;
    for (const auto& f : report.findings) told += f.count;
    return {told, report.counts.unique_load_bytes, report.counts.unique_store_bytes};
  }
};

void play(World& w, Random& random, size_t threads, uint64_t longest, int turns) {
  for (int k = 0; k < turns; k++) {
    uint32_t program = static_cast<uint32_t>(random(6));
    auto access = static_cast<Access>(1u << random(3));
    w.touch(program % threads, access, random(kCells), 1 + random(longest), program, random(3) != 0);
  }
}

TEST(IrRace, OneThreadFindsEveryCellOnce) {
  Random random{88172645463325252u};
  for (int round = 0; round < 60; round++)
    for (uint64_t longest : {1, 40, 3000}) {
      World w(1);
      play(w, random, 1, longest, longest > 1000 ? 6 : 60);
      auto [told, loads, stores] = w.finish();
      EXPECT_EQ(told, racing_cells(w.seen)) << longest;
      EXPECT_EQ(loads, 4 * w.loaded.size());
      EXPECT_EQ(stores, 4 * w.stored.size());
    }
}
TEST(IrRace, SeveralThreadsFindTheSameCellsAfterTheJoin) {
  Random random{1234567};
  for (int round = 0; round < 60; round++)
    for (size_t threads : {2, 3}) {
      World w(threads);
      play(w, random, threads, round % 2 ? 900 : 5, round % 2 ? 10 : 100);
      size_t racing = racing_cells(w.seen);
      auto [told, loads, stores] = w.finish();
      EXPECT_GE(told, racing);
      EXPECT_EQ(told == 0, racing == 0);
      EXPECT_EQ(loads, 4 * w.loaded.size());
      EXPECT_EQ(stores, 4 * w.stored.size());
    }
}
TEST(IrRace, HonestSharingIsNoRaceInAnyPattern) {
  Random random{42};
  World w(2);
  for (uint32_t p = 0; p < 40; p++) {  // all read the first part and update the last, each stores a part of its own
    w.touch(p % 2, Access::read, random(1000), 1 + random(900), p, true);
    w.touch(p % 2, Access::write, 2000 + 50 * p, 50, p, true);
    w.touch(p % 2, Access::read, 2000 + 50 * p, 50, p, true);
    w.touch(p % 2, Access::atomic, 4000 + random(900), 1 + random(50), p, true);
  }
  EXPECT_EQ(racing_cells(w.seen), 0u);
  EXPECT_EQ(w.finish()[0], 0u);
}

}  // namespace
}  // namespace kbx::ir
