// public_variant(): the same task with other cases, which a method may learn from without seeing those that count.
#pragma once
#include <cstdint>

#include "model/task.h"

namespace kbx::suite {

// How the cases of a variant differ from the task's own.
struct PublicCounts {
  int reshaped = 0;  // other sizes
  int redrawn = 0;   // the same sizes (nothing could be changed safely), other values
  int left_out = 0;  // literal integers (pivots, offsets) that nobody can draw anew
};

// Entry, contract, oracle, reference and cost are the task's. Every case has another name, so that its inputs are other
// bytes under any seed; and, where the case's own numbers allow it, other sizes: a size changes everywhere in the case,
// equal sizes stay equal, smaller ones stay smaller, multiples stay multiples of what divided them, and sizes that an
// integer argument or another tensor's sizes are tied to stay as they are. Literal float values are scaled. Sizes keep
// within what the task's own cases and performance sizes use for that argument. Deterministic; the version differs from
// the task's, the name does not: keep both apart in whatever is keyed by names.
Task public_variant(const Task& task, PublicCounts* counts = nullptr);
// The same with the task's own sizes: where a reference cannot take the other ones (a user's task with ties between sizes
// that nobody could guess).
Task redrawn_variant(const Task& task);

// A seed for evaluations on variants: no run of the task's own cases uses it.
uint64_t public_seed(uint64_t run_seed);

}  // namespace kbx::suite
