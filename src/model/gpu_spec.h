// GpuSpec: what a vendor's document promises of a GPU, and the least time that work takes by those numbers.
// Nothing here was measured. A number that no document of the vendor states is absent, never guessed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace kbx {

// Whose peak a floating-point (or int8) operation is held against. Where a GPU has a tensor unit for the type, its rate
// stands; of two accumulator widths the faster one: a bound must not be beaten by a better kernel.
enum class Unit : unsigned char { f64, f32, tf32, f16, bf16, f8, i8 };
inline constexpr size_t kUnits = size_t(Unit::i8) + 1;
std::string_view to_text(Unit unit);
std::optional<Unit> unit_from_text(std::string_view text);

struct GpuSpec {
  std::string_view name;
  int arch = 0;                                        // 90 for sm_90
  int sms = 0;
  double bandwidth = 0;                                // of its memory, bytes a second
  std::array<std::optional<double>, kUnits> peak{};    // dense operations a second, a multiply-add is two
  int64_t shared_per_block = 0;                        // bytes, with opt-in
  std::optional<int64_t> l2;                           // bytes
  std::string_view source;                             // the documents
};

std::span<const GpuSpec> gpu_specs();
const GpuSpec* find_gpu(std::string_view name);  // exact name; nullptr = none
// By the name that the driver gives ("NVIDIA H200", "NVIDIA A100-SXM4-80GB"), its multiprocessors and bytes of memory (0 =
// not known). nullptr: no row, or the card is not the one that the row's document speaks of (another count of
// multiprocessors, a slice of a card).
const GpuSpec* find_gpu_by_driver_name(std::string_view name, int sms, int64_t memory_bytes);

// What a launch, or all launches of a call, must at least do.
struct Work {
  double bytes = 0;                      // distinct bytes that must come from memory or go there
  std::array<double, kUnits> flops{};    // by unit
};

struct TimeBound {
  double seconds = 0;           // the largest of the parts
  double memory_seconds = 0;    // bytes / bandwidth
  std::optional<Unit> compute;  // the unit that decides; nullopt: the memory does
};
// No time and no estimate: the least that the documents allow. Units may work side by side, so their parts are not
// added; a unit whose peak is absent is left out, which only lowers the bound. Assumes that every byte crosses the
// memory bus once, so work that lies in the L2 from the start can be faster: compare bytes with `l2`.
TimeBound at_least(const GpuSpec& gpu, const Work& work);

}  // namespace kbx
