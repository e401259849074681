// Standing: how far a kernel got, in the order in which all loops prefer kernels.
#pragma once
#include <string>

#include "agent/feedback.h"

namespace kbx::agent {

enum class Standing : unsigned char { none, raw, called, executes, timed };  // the words of Finish::why
std::string_view to_text(Standing standing);

// `raw`: there is code, and nobody evaluated it or it does not even run.
Standing standing_of(bool has_code, const std::optional<Feedback>& feedback);

// Higher is better: the standing, then the speedup, where both have one.
bool better(const Feedback& a, const Feedback& b);

}  // namespace kbx::agent
