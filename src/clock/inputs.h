// InputSet: the pristine inputs of one seed, in memory of ours; sides are restored from it before every run.
#pragma once
#include <map>

#include "base/json.h"
#include "clock/draw_request.h"
#include "clock/kernels.h"
#include "clock/memory.h"

namespace kbx::clock {

class InputSet {
 public:
  // From the list of a command `inputs`. Fault: command, memory.
  static Outcome<InputSet> make(Card& card, const Kernels& kernels, const Json& inputs, const Bytes& blob);

  // Where an input lies; nullptr: there is none of that name.
  const DeviceRange* find(const std::string& name) const;
  const std::map<std::string, DeviceRange>& places() const { return places_; }
  // Whether every byte is what it was: by a keyed sum whose key the card first sees now.
  Outcome<bool> intact(const Card& card, const Kernels& kernels) const;
  uint64_t bytes() const { return memory_.bytes(); }

 private:
  Outcome<void> fill(Card& card, const Kernels& kernels, const DrawRequest& request, uint64_t to, const Bytes& blob);
  Outcome<uint64_t> sum(const Card& card, const Kernels& kernels) const;

  Buffer memory_, total_;
  std::map<std::string, DeviceRange> places_;
  uint64_t key_ = 0, sum_ = 0;
};

}  // namespace kbx::clock
