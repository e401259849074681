// What must not stand in [providers.NAME], whatever its keys and types: secrets, addresses that would carry them in the
// clear, numbers that mean nothing.
#pragma once
#include <string>
#include <vector>

#include "toml/reader.h"

namespace kbx::llm {

// Notes a fault for every key or value that holds a secret (api_key = "...", key_env = "sk-...", a password in a URL) and
// never quotes it. Gives the names of the keys, which need no second complaint.
std::vector<std::string> refuse_secrets(toml::Faults& faults, const toml::Node& table, const std::string& where);

void check_provider(toml::Faults& faults, const toml::Node& table, const std::string& where);

}  // namespace kbx::llm
