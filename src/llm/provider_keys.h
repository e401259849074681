// The keys of [providers.NAME] and [models.NAME]: what the reader checks against and what docs/providers.md lists.
#pragma once
#include "toml/keys.h"

namespace kbx::llm {

toml::Keys provider_keys();
toml::Keys model_keys();
toml::Keys price_keys();  // price = { ... }

}  // namespace kbx::llm
