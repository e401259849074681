// In which order the programs of a grid are started: a permutation of 0 .. count-1.
#pragma once
#include <cstdint>
#include <numeric>

#include "ir/machine.h"

namespace kbx::ir {

class ProgramOrder {
 public:
  ProgramOrder(uint64_t count, Order order, uint64_t seed) : count_(count), order_(order) {
    if (order != Order::shuffled || count < 2) return;
    // k * step + shift visits every residue when step and count have no common factor.
    step_ = (seed * 0x9e3779b97f4a7c15u >> 33) % count | 1;
    while (std::gcd(step_, count) != 1) step_ = step_ % count + 1;
    shift_ = seed % count;
  }
  uint64_t at(uint64_t k) const {
    switch (order_) {
      case Order::forward:
        return k;
      case Order::reverse:
        return count_ - 1 - k;
      case Order::shuffled:
        return (k * step_ + shift_) % count_;  // count < 2^31: no overflow
    }
    return k;
  }

 private:
  uint64_t count_;
  Order order_;
  uint64_t step_ = 1, shift_ = 0;
};

}  // namespace kbx::ir
