// Timing <-> JSON, for stored records and for programs. Fields may be added, never renamed; what an older kbx did not
// store reads as absent.
#pragma once
#include <optional>

#include "base/json.h"
#include "model/timing.h"

namespace kbx::store {

// Times in microseconds, shares of 1. What is absent is null; a number that is not finite is null, too.
Json timing_json(const Timing& timing);
// nullopt: the JSON is no object.
std::optional<Timing> timing_from(const Json& json);

}  // namespace kbx::store
