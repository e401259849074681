// What models take: one table by prefix of the vendor's id.
#pragma once
#include <string_view>

#include "llm/provider.h"

namespace kbx::llm {

// The longest prefix wins, case is ignored, an id of a gateway ("anthropic/claude-...") is looked up behind its slash, with
// a Claude's dots as hyphens. An unknown model takes no sampling parameter, except on a server that does the sampling itself
// (vllm, sglang, llamacpp, transformers), where every model does. [models.NAME] overrides each field.
Capabilities capabilities_of(DialectName dialect, std::string_view model_id);

}  // namespace kbx::llm
