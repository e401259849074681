// Drawn: the tensors of a case as descriptions instead of bytes, for inputs too large to be made on the host. Who holds
// the card draws them there (docs/clock.md); they are of the same distributions, not the same bytes, as make_call()'s.
#pragma once
#include <string>
#include <vector>

#include "base/json.h"
#include "model/task.h"

namespace kbx::suite {

struct Drawn {
  std::string path;      // "input", "params[1]": unique in the call
  TensorSpec spec;
};

// In the order of tensors_of() over outline_call()'s arguments, then keywords.
std::vector<Drawn> drawn_tensors(const Task& task, const Case& which);

// {"dist", "params" (all of them, defaults filled in), "values", "dtype", "shape", "count" (elements)}.
Json draw_json(const TensorSpec& spec);
std::vector<Json> draws_json(const std::vector<Drawn>& tensors);  // of each
// The same with "key" and "salt": words that no other tensor, case, task, seed or set shares.
Json draw_json(const Drawn& drawn, const Task& task, const Case& which, uint64_t seed, int set);

}  // namespace kbx::suite
