// Mends code that is not Python in the few ways in which replies go wrong. Used by ExtractMode::repair alone.
#pragma once
#include <optional>
#include <string>

#include "intake/extract.h"

namespace kbx::intake {

// Typographic quotes and odd spaces become ASCII; prose in front of the first and behind the last statement goes.
// nullopt when the code is valid already, or when it would not become valid, or would lose the target.
std::optional<std::string> repair(const std::string& code, const Target& target);

}  // namespace kbx::intake
