// The output of a command that the user wrote into kbx.toml, for keys that a password manager holds.
#pragma once
#include <string>

#include "base/result.h"

namespace kbx::llm {

// What `command` prints, run by /bin/sh with the user's environment, terminal and error output; at most 64 KiB. Error (code
// usage) when it fails, prints more or takes longer than `seconds` (it is killed then). No error quotes what it printed.
Result<std::string> output_of(const std::string& command, double seconds);

}  // namespace kbx::llm
