// Prompt files -> PromptStore (docs/methods.md).
//   prompts/blocks.toml            [blocks] NAME = "text": for all prompts
//   prompts/geak/gen.toml          a prompt named "geak/gen": summary, system = [blocks], user = [blocks], user_stable, [blocks]
#pragma once
#include <string>
#include <string_view>

#include "agent/prompt_store.h"
#include "base/result.h"

namespace kbx::agent {

// `name` "" : a file of common blocks. Error (code usage): every fault, one line each.
Result<void> parse_prompt(std::string_view text, const std::string& filename, const std::string& name, PromptStore& into);

}  // namespace kbx::agent
