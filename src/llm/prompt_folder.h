// Prompt folder: questions as files for people to paste into a chat window, and the answers they save beside them.
//   NAME.prompt.md   what to paste; NAME is the call's custom_id
//   NAME.reply.md    what came back, as a whole: prose, fences and all (.reply.txt is read too)
#pragma once
#include <filesystem>
#include <vector>

#include "llm/batch.h"

namespace kbx::llm {

// System text and the user's words in one; the turns of a conversation are set apart by headings.
std::string prompt_text(const ChatRequest& request);

// Writes the prompts and index.json. Error: the folder holds a batch already. Gives the number of prompts.
Result<size_t> export_prompts(const std::filesystem::path& folder, const std::vector<BatchCall>& calls);

// Whatever replies lie there by now, sorted by name; counts of tokens are estimates and the stop is unknown. Told and not
// taken: an empty reply, one in UTF-16, one above 16 MiB, one that no prompt has. Errors: folder or index cannot be read.
Result<BatchResults> import_replies(const std::filesystem::path& folder);

}  // namespace kbx::llm
