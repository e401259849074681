// Arenas.
#include "ir/arena.h"

#include <cstring>

#include "ir/run.h"

namespace kbx::ir {
namespace {

// Kernels may read a whole vector past the last lane of the last value.
constexpr uint64_t kSlack = 64, kAlign = 64;

}  // namespace

uint64_t Arena::bytes_needed(const MachineCode& code, bool undefined) {
  uint64_t n = code.arena_bytes + kSlack;
  return kAlign + (undefined ? 2 * n + n / 64 + 1 : n);
}

std::unique_ptr<Arena> Arena::make(Shared& shared, RaceShadow* race, Counter& counter, const ArgumentLanes& arguments) {
  const MachineCode& code = *shared.code;
  auto arena = std::make_unique<Arena>();
  bool undefined = shared.checks.undefined;
  arena->memory_.reset(static_cast<uint8_t*>(std::calloc(1, bytes_needed(code, undefined))));
  if (!arena->memory_) return nullptr;
  auto address = reinterpret_cast<uintptr_t>(arena->memory_.get());
  uint8_t* base = arena->memory_.get() + (kAlign - address % kAlign) % kAlign;
  uint64_t n = code.arena_bytes + kSlack;
  Context& c = arena->context;
  c.shared = &shared;
  c.race = race;
  c.tally = counter.tally.data();
  c.ranges = counter.ranges.data();
  c.arena = base;
  if (undefined) {
    c.undefined = base + n;
    c.flags = base + 2 * n;
  }
  for (const Constant& k : code.constants) {
    uint8_t* to = base + k.at;
    size_t size = k.bytes.size();
    for (uint32_t r = 0; r < k.repeat; r++) std::memcpy(to + r * size, k.bytes.data(), size);
  }
  for (size_t k = 0; k < code.arguments.size(); k++)
    std::memcpy(base + code.arguments[k].at, &arguments[k], lane_bytes(code.arguments[k].kind));
  run_setup(c);
  return arena;
}

}  // namespace kbx::ir
