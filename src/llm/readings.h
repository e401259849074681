// The two protocols' Readings.
#pragma once
#include <memory>

#include "llm/reply_reader.h"

namespace kbx::llm {

// Messages. Ends with message_stop.
std::unique_ptr<Reading> anthropic_reading();
// Chat Completions. Ends with a finish_reason, or with [DONE] where a server gives none. `think_tags`: reasoning may
// stand inside the text between <think> tags; it is taken out where no field held any and it is closed.
std::unique_ptr<Reading> openai_reading(bool think_tags);

}  // namespace kbx::llm
