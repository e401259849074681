#include "stats/random.h"

#include <cmath>
#include <numbers>

#include "base/check.h"

namespace kbx::stats {

uint64_t Random::next() {
  if (used_ >= 4) {
    words_ = philox4x32_10({uint32_t(block_), uint32_t(block_ >> 32), uint32_t(stream_), uint32_t(stream_ >> 32)},
                           {uint32_t(seed_), uint32_t(seed_ >> 32)});
    block_++;
    used_ = 0;
  }
  uint64_t bits = uint64_t(words_[size_t(used_)]) << 32 | words_[size_t(used_) + 1];
  used_ += 2;
  return bits;
}

double Random::uniform() { return double(next() >> 11) * 0x1p-53; }

uint64_t Random::below(uint64_t n) {
  KBX_CHECK(n >= 1);
  uint64_t whole = ~uint64_t{0} - (~uint64_t{0} % n + 1) % n;  // the last value of the last whole run of n
  for (;;)
    if (uint64_t bits = next(); bits <= whole) return bits % n;
}

double Random::normal() {
  double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace kbx::stats
