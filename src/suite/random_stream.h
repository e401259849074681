// RandomStream: random words and the two base variates, by position. Nothing is consumed: chunk c of a lane is always
// the same, whoever asks, so tensors can be filled by any number of threads.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace kbx::suite {

// Independent sequences of one stream, one for each purpose.
enum class Lane : uint32_t {
  base,
  mix_mask,
  mix_value,
  ignore_mask,
  phase_mask,
  phase_value,
  shuffle,
  first,
  second,
  third
};

// Variates made at once; the unit of parallel work.
inline constexpr size_t kChunk = 2048;

class RandomStream {
 public:
  // The key is the first 96 bits of SHA-256 over the fields.
  explicit RandomStream(const std::vector<std::string_view>& fields);

  // kChunk words each.
  void words(Lane lane, uint64_t chunk, uint32_t* out) const;
  // Standard normal, Box-Muller. f32: 31-bit uniforms, |z| < 6.7; f64: 52-bit uniforms, |z| < 8.6.
  void normal(Lane lane, uint64_t chunk, float* out) const;
  void normal(Lane lane, uint64_t chunk, double* out) const;
  // Uniform in [0, 1): multiples of 2^-24, 2^-52.
  void unit(Lane lane, uint64_t chunk, float* out) const;
  void unit(Lane lane, uint64_t chunk, double* out) const;

  // One block, for sparse use.
  std::array<uint32_t, 4> block(Lane lane, uint64_t index) const;
  // One standard normal number from one block.
  double one_normal(Lane lane, uint64_t index) const;

 private:
  // Words of blocks [first, first + count), all first words, then all second ones, ...
  void blocks(Lane lane, uint64_t first, size_t count, uint32_t* out) const;
  void wide(Lane lane, uint64_t chunk, uint64_t* out) const;  // kChunk 64-bit words

  std::array<uint32_t, 2> key_{};
  uint32_t salt_ = 0;
};

}  // namespace kbx::suite
