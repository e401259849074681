// Effort: what the steps of a generation run cost, by columns alone (docs/runs.md): thousands of replies are not parsed.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "store/store.h"

namespace kbx::store {

// One call to a model, or one evaluation of a candidate. Views are valid inside the visit alone.
struct EffortRow {
  std::string_view task;
  bool call = false;                     // else an evaluation, of `candidate`
  int64_t tokens_in = 0, tokens_out = 0; // calls
  bool estimated = false;                // the server did not say the tokens
  std::optional<double> usd;             // calls; absent: a price is not known
  double seconds = 0, gpu_seconds = 0;
  std::string_view candidate;            // evaluations
};

// In the order in which results came in. A run of `kbx eval` has none.
Result<void> each_effort(const Store& store, const std::function<void(const EffortRow&)>& visit);

}  // namespace kbx::store
