// Launches and findings <-> JSON, for stored records. What an older kbx did not store reads as zero or empty; what is
// zero or empty is not written.
#pragma once
#include "base/json.h"
#include "model/finding.h"
#include "model/measurement.h"

namespace kbx::store {

Json launch_json(const Launch& launch);
Launch launch_from(const Json& json);
Json finding_json(const Finding& finding);
Finding finding_from(const Json& json);

}  // namespace kbx::store
