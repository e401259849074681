// untried_inputs(): forms of input that no standard case has, so that a kernel which takes them wrongly cannot be seen.
// - A tensor argument must come with a stride other than 1 along its last dimension, and one of two or more dimensions
//   also with its dimensions in another order in memory or with gaps between them; in both cases so that the memory read
//   as if it were contiguous holds other numbers (arguments that the call writes: always). Symmetric matrices cannot show
//   an order of dimensions and need not.
// - An argument that is written and returned (`out`, `inplace`) must be written in half precision and in float64 too,
//   where the task has results of these.
// - Two parameters with defaults that matter must be given together in some case: each may have a branch of its own.
//   A line of the contract with "A and B do not occur together" (in the signature's order) excuses the pair.
// - A task with floating arguments must see NaN and an infinity. A line of the contract with "nfinities do not occur"
//   excuses infinities, one with "NaN and infinities do not occur" both.
#pragma once
#include <string>
#include <vector>

#include "eval/truth.h"

namespace kbx::eval {

// Sentences without a full stop; empty when nothing is missing.
std::vector<std::string> untried_inputs(const Task& task, const TaskTruth& truth);

}  // namespace kbx::eval
