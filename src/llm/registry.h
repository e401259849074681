// Registry from TOML: the providers and models that kbx ships (share/kbx/models.toml), and over them the user's kbx.toml.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "llm/provider.h"

namespace kbx::llm {

struct RegistryText {
  std::string name;  // of the file, for errors
  std::string text;
};
// Only [providers.NAME] and [models.NAME] are read; other tables belong to others. A later file's table of the same name
// replaces single keys of an earlier one. What a model's row leaves out follows from its id (llm/capabilities.h).
// Errors (code usage), all of them with line and column: unknown keys and names, wrong types, a key (secret) in the file,
// http:// to another machine, a model without provider or id, a provider without base_url.
Result<Registry> read_registry(const std::vector<RegistryText>& files);

// share/kbx/models.toml, and `own` where that file exists.
Result<Registry> load_registry(const std::filesystem::path& shipped, const std::filesystem::path& own);

// A host of this machine: localhost, 127.x.x.x, [::1].
bool is_loopback(std::string_view url);

}  // namespace kbx::llm
