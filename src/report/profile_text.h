// A profile as a table for a terminal and as JSON.
#pragma once
#include <string>

#include "base/json.h"
#include "model/kernel_profile.h"

namespace kbx::report {

// A row a kernel: launches of one kernel with the same grid and block stand in one row with their number and means.
std::string profile_text(const CandidateProfile& profile);
// What was not counted is null.
Json profile_json(const CandidateProfile& profile);

}  // namespace kbx::report
