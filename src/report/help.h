// What to change: one sentence for each rule a finding can have, and for each verdict. The whole table is help.cpp.
#pragma once
#include <string_view>

namespace kbx::report {

// The first row whose rule fits and whose mark occurs in the message (any case); "" when the table has none.
// Sentences are constants: nothing of the message is in them.
std::string_view help_for(std::string_view rule, std::string_view message);

}  // namespace kbx::report
