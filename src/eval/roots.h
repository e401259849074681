// Roots: what is judged of one call: "result" and every mutated argument, as whole values.
#pragma once
#include <map>
#include <string>

#include "model/value.h"

namespace kbx::eval {

// A worker reports mutated arguments tensor by tensor ("running_mean", "out[0]", "out[1]"); arguments that are lists come
// back together as one tuple.
std::map<std::string, Value> mutated_roots(const std::map<std::string, Tensor>& by_path);

// Are all numbers equal, NaN to NaN? The formats may differ: a helper that is asked in float64 and leaves a mutated argument as it was
// says nothing of that argument.
bool same_numbers(const Value& before, const Value& after);

}  // namespace kbx::eval
