// Random: the explicit generator of everything in this room that draws (bootstraps, permutations, simulations). Philox
// (base/philox.h): the draws depend on seed and stream alone and are the same on every machine. Two streams of one seed
// are independent; give every analysis a stream of its own.
#pragma once
#include <cstdint>
#include <span>
#include <utility>

#include "base/philox.h"

namespace kbx::stats {

class Random {
 public:
  explicit Random(uint64_t seed, uint64_t stream = 0) : seed_(seed), stream_(stream) {}

  uint64_t next();                // 64 uniform bits
  double uniform();               // in [0, 1), 53 bits
  uint64_t below(uint64_t n);     // uniform in 0 .. n-1, without bias (rejection); n >= 1
  double normal();                // standard, by Box and Muller (1958)

  // Fisher and Yates: every order equally likely.
  template <class T>
  void shuffle(std::span<T> values) {
    for (size_t k = values.size(); k > 1; k--) std::swap(values[k - 1], values[below(k)]);
  }

 private:
  uint64_t seed_, stream_;
  uint64_t block_ = 0;
  PhiloxBlock words_{};
  int used_ = 4;  // of words_
};

}  // namespace kbx::stats
