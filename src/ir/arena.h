// The memory of one program: its values, and their definedness when that is followed.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "ir/context.h"
#include "ir/tally.h"

namespace kbx::ir {

// Every argument as its lane in the arena, 8 bytes of which lane_bytes() count.
using ArgumentLanes = std::vector<uint64_t>;

class Arena {
 public:
  // Null when memory ran out. Constants, arguments and the setup code are in place.
  static std::unique_ptr<Arena> make(Shared& shared, RaceShadow* race, Counter& counter,
                                     const ArgumentLanes& arguments);
  static uint64_t bytes_needed(const MachineCode& code, bool undefined);

  Context context;

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> memory_;
};

}  // namespace kbx::ir
