// What a launch counts: bytes and flops, in all, by unit and kind, by range, by line of the source.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kbx::ir {

struct Traffic {
  uint64_t load_bytes = 0, store_bytes = 0, atomic_bytes = 0;
};

struct Counts : Traffic {
  uint64_t unique_load_bytes = 0, unique_store_bytes = 0;
  uint64_t flops = 0, instructions = 0;
};

// What one of LaunchSpec::ranges saw.
struct RangeCounts : Traffic {
  uint64_t unique_load_bytes = 0, unique_store_bytes = 0;
};

// What one line of the candidate's source did.
struct LineCounts : Traffic {
  std::string where;  // "file.py:12", "" = unknown
  uint32_t line = 0;
  uint64_t flops = 0, instructions = 0;
};

// Who computes: ordinary units, or tensor cores (tl.dot).
enum class Unit : int32_t { lanes, dot };
inline constexpr size_t kFlopKinds = 14;  // Kind's numbers, and then tf32
inline constexpr size_t kTf32 = 13;
using FlopTable = std::array<std::array<uint64_t, kFlopKinds>, 2>;  // [Unit][kind of the operands]
inline constexpr size_t kMaxLines = 32;

}  // namespace kbx::ir
