// Outcome: feedback as the words that a prompt shows.
#pragma once
#include <string>

#include "agent/feedback.h"

namespace kbx::agent {

// A few lines: runs or not, right or not and why, the speedup, resources and hardware where they are known. `cut`: the
// reply that the code came from was cut.
std::string outcome_text(const Feedback& feedback, bool cut);
std::string speedup_text(const Feedback& feedback);  // "1.42x"; "not timed"

// What the loops say themselves of code that was not evaluated.
Feedback not_evaluated(Verdict verdict, std::string why);

}  // namespace kbx::agent
