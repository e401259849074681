// What the threads of a launch counted -> totals, by line of the candidate's source, by unit and kind, by range.
#pragma once
#include <span>
#include <vector>

#include "ir/context.h"
#include "ir/machine.h"

namespace kbx::ir {

// One thread's counts.
struct Counter {
  Counter(const MachineCode& code, size_t count) : tally(code.main.size()), ranges(count) {}

  std::vector<Tally> tally;         // one an instruction of `main`
  std::vector<RangeCounts> ranges;  // no unique bytes: those are the race cells' to say
};

// Fills the counts of a report except for unique bytes, which it must hold already. Instructions of the setup count
// once a program (`programs`), as on a GPU, in flops; not in instructions.
void count_up(const MachineCode& code, std::span<const Counter> threads, uint64_t programs, Report& report);

}  // namespace kbx::ir
