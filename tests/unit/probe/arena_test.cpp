// Heap and arena: places, redzones, growth, and what happens when memory ends.
#include "probe/arena.h"

#include <gtest/gtest.h>

#include "fakes.h"
#include "model/device_tape.h"

namespace kbx::probe {
namespace {

TEST(Heap, PlacesAreAlignedAndApartByTheRedzone) {
  Heap heap(kBase, kBase + (1 << 20));
  auto a = heap.take(1, 1), b = heap.take(513, 2), c = heap.take(0, 3);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->at, kBase);
  EXPECT_EQ(b->at, kBase + 1024);
  EXPECT_EQ(c->at, kBase + 1024 + 1024 + 512);
  EXPECT_EQ(heap.top(), c->at + 1024);
}

TEST(Heap, TheSmallestHoleThatFitsIsTaken) {
  Heap heap(kBase, kBase + (1 << 20));
  auto large = heap.take(8192, 1), wall = heap.take(1, 2), small = heap.take(1024, 3), end = heap.take(1, 4);
  ASSERT_TRUE(wall && end);
  heap.give_back(large->at);
  heap.give_back(small->at);
  EXPECT_EQ(heap.take(1000, 5)->at, small->at);
  EXPECT_EQ(heap.take(1000, 6)->at, large->at);
}

TEST(Heap, NeighbouringHolesBecomeOne) {
  Heap heap(kBase, kBase + (1 << 20));
  auto a = heap.take(512, 1), b = heap.take(512, 2), c = heap.take(512, 3), wall = heap.take(1, 4);
  ASSERT_TRUE(wall);
  heap.give_back(a->at);
  heap.give_back(c->at);
  heap.give_back(b->at);
  EXPECT_EQ(heap.take(3 * 1024 - 512, 5)->at, a->at);
}

TEST(Heap, OnePastTheEndIsNobodys) {
  Heap heap(kBase, kBase + (1 << 20));
  auto a = heap.take(512, 1);
  EXPECT_EQ(heap.find(a->at + 511)->serial, 1u);
  EXPECT_EQ(heap.find(a->at + 512), nullptr);
  EXPECT_EQ(heap.find(a->at - 1), nullptr);
}

TEST(Heap, ThePlaceOfNothingIsFound) {
  Heap heap(kBase, kBase + (1 << 20));
  auto a = heap.take(0, 7);
  ASSERT_NE(heap.find(a->at), nullptr);
  EXPECT_EQ(heap.find(a->at + 1), nullptr);
}

TEST(Heap, AddressesEnd) {
  Heap heap(kBase, kBase + 4096);
  EXPECT_FALSE(heap.take(4096, 1));
  EXPECT_FALSE(heap.take(UINT64_MAX, 1));
  EXPECT_TRUE(heap.take(4096 - 512, 1));
  EXPECT_FALSE(heap.take(1, 2));
}

TEST(Heap, WhatWasNotTakenIsNotGivenBack) {
  Heap heap(kBase, kBase + 4096);
  auto a = heap.take(1, 1);
  EXPECT_FALSE(heap.give_back(a->at + 512));
  EXPECT_TRUE(heap.give_back(a->at));
  EXPECT_FALSE(heap.give_back(a->at));
}

TEST(Heap, RandomUseNeverOverlaps) {
  Heap heap(kBase, kBase + (uint64_t(1) << 30));
  std::map<uint64_t, uint64_t> mine;
  uint64_t state = 12345;
  for (int step = 0; step < 4000; step++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    if (state >> 63 && !mine.empty()) {
      auto it = mine.lower_bound(kBase + (state >> 20) % (1 << 24));
      if (it == mine.end()) it = mine.begin();
      ASSERT_TRUE(heap.give_back(it->first));
      mine.erase(it);
      continue;
    }
    uint64_t bytes = (state >> 33) % 70000;
    auto block = heap.take(bytes, uint64_t(step));
    ASSERT_TRUE(block);
    ASSERT_EQ(block->at % kHeapAlign, 0u);
    auto next = mine.lower_bound(block->at);
    ASSERT_TRUE(next == mine.end() || block->at + bytes + kRedzone <= next->first);
    if (next != mine.begin()) {
      --next;
      ASSERT_LE(next->first + next->second + kRedzone, block->at);
    }
    mine[block->at] = bytes;
  }
  EXPECT_EQ(heap.live().size(), mine.size());
}

TEST(Arena, ASmallCandidateCostsOneSmallChunk) {
  FakeMemory memory;
  Arena arena(memory, kBase);
  EXPECT_EQ(memory.reserved, 0);
  EXPECT_EQ(arena.allocate(100), kBase);
  EXPECT_TRUE(arena.allocate(1 << 20));
  EXPECT_EQ(memory.maps, 1);
  EXPECT_EQ(arena.mapped(), uint64_t(64) << 20);
}

TEST(Arena, EveryAllocationIsMapped) {
  FakeMemory memory;
  Arena arena(memory, kBase);
  for (uint64_t bytes :
       {uint64_t(1), uint64_t(63) << 20, uint64_t(3) << 20, uint64_t(700) << 20, uint64_t(5), uint64_t(1500) << 20}) {
    uint64_t at = arena.allocate(bytes);
    ASSERT_TRUE(at) << arena.error();
    EXPECT_TRUE(memory.has(at, bytes + kRedzone)) << bytes;
  }
  EXPECT_EQ(memory.reserved, 1);
}

TEST(Arena, WithoutMemoryItSaysSoAndGoesOn) {
  FakeMemory memory;
  memory.limit = uint64_t(256) << 20;
  Arena arena(memory, kBase);
  EXPECT_EQ(arena.allocate(uint64_t(100) << 30), 0u);
  EXPECT_EQ(arena.error(), "no memory");
  uint64_t at = arena.allocate(uint64_t(200) << 20);
  EXPECT_EQ(at, kBase);
  EXPECT_TRUE(memory.has(at, uint64_t(200) << 20));
  EXPECT_EQ(arena.allocate(uint64_t(100) << 20), 0u);
  EXPECT_TRUE(arena.free(at));
  EXPECT_EQ(arena.allocate(uint64_t(100) << 20), kBase);
}

TEST(Arena, UnusedChunksAreGivenBackBeforeItFails) {
  FakeMemory memory;
  memory.limit = uint64_t(400) << 20;
  Arena arena(memory, kBase);
  uint64_t first = arena.allocate(1 << 20), second = arena.allocate(uint64_t(150) << 20);
  ASSERT_TRUE(first && second);
  arena.free(second);
  arena.scratch(true);
  uint64_t own = arena.allocate(uint64_t(300) << 20);
  ASSERT_TRUE(own) << arena.error();
  EXPECT_TRUE(memory.has(own, uint64_t(300) << 20));
  EXPECT_TRUE(memory.has(first, 1 << 20));
  arena.scratch(false);
  EXPECT_EQ(arena.allocate(uint64_t(150) << 20), 0u);
}

TEST(Arena, AfterAFailureNothingIsHandedOutThatIsNotMapped) {
  FakeMemory memory;
  memory.limit = uint64_t(300) << 20;
  Arena arena(memory, kBase);
  std::vector<uint64_t> held;
  uint64_t state = 99;
  for (int step = 0; step < 2000; step++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    if ((state >> 62) == 0 && !held.empty()) {
      arena.free(held.back());
      held.pop_back();
      continue;
    }
    arena.scratch((state >> 40) % 4 == 0);
    uint64_t bytes = (state >> 33) % (uint64_t(40) << 20), at = arena.allocate(bytes);
    if (!at) {
      for (size_t k = 0; k < held.size() / 2; k++) arena.free(held[k]);
      held.erase(held.begin(), held.begin() + long(held.size() / 2));
      continue;
    }
    ASSERT_TRUE(memory.has(at, bytes + kRedzone)) << step;
    held.push_back(at);
  }
}

TEST(Arena, TheRecordersOwnMemoryLiesApart) {
  FakeMemory memory;
  Arena arena(memory, kBase);
  arena.scratch(true);
  uint64_t own = arena.allocate(1000);
  arena.scratch(false);
  uint64_t given = arena.allocate(1000);
  EXPECT_TRUE(arena.is_scratch(own));
  EXPECT_FALSE(arena.is_scratch(given));
  EXPECT_EQ(given, kBase);
  EXPECT_EQ(arena.heap().live().size(), 1u);
  EXPECT_TRUE(arena.free(own));
}

}  // namespace
}  // namespace kbx::probe
