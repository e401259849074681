// load: methods, prompts and worked examples from folders. The only file of this room that reads files.
#pragma once
#include <filesystem>
#include <vector>

#include "agent/corpus.h"
#include "agent/method_toml.h"
#include "agent/prompt_store.h"

namespace kbx::agent {

// FOLDER/*.toml, each by parse_methods(). Presets may not depend on one another.
Result<Methods> load_methods(const std::filesystem::path& folder);
// FOLDER/blocks.toml and FOLDER/*/*.toml. A later folder's blocks and prompts win.
Result<PromptStore> load_prompts(const std::vector<std::filesystem::path>& folders);
// A folder of .py files: the description is the module's docstring. Or a JSONL file: {"description" (also "instruction",
// "description_1"), "code" (also "output"), "name"?} a line.
Result<Corpus> load_corpus(const std::filesystem::path& path);

}  // namespace kbx::agent
