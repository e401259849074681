// Tokens: what servers say in their several ways, as one Usage; and an estimate where they say nothing.
#pragma once
#include <string_view>

#include "model/chat.h"

namespace kbx::llm {

// One token per 3.5 bytes, rounded up: English prose has about 4.5 bytes a token, code about 3.
int64_t estimate_tokens(size_t bytes);
inline int64_t estimate_tokens(std::string_view text) { return estimate_tokens(text.size()); }
// Of the whole prompt, with 4 tokens a message for its frame. The schema counts.
int64_t estimate_input(const ChatRequest& request);

// `to` becomes the sum of both; estimated if either is.
void add_usage(Usage& to, const Usage& from);

// Counts as they come. Servers repeat them and they only grow, so that each field's largest value is the one that holds.
class TokenCount {
 public:
  // Anthropic: input_tokens leaves out what a cache read or wrote.
  void add_anthropic(const Json& usage);
  // OpenAI's form and its variants: cached tokens in prompt_tokens_details, as prompt_cache_hit_tokens or cached_tokens;
  // reasoning inside completion_tokens, or beside it when only then the total is right.
  void add_openai(const Json& usage);
  // llama.cpp's "timings", used where no usage came.
  void add_timings(const Json& timings);
  // `out_estimate`: of all text that came. `trusted` false: the count may miss some of it (a cut stream, several choices).
  // What no server said is estimated, and so marked.
  Usage usage(int64_t in_estimate, int64_t out_estimate, bool trusted) const;

 private:
  Usage seen_;
  int64_t timed_in_ = 0, timed_cached_ = 0, timed_out_ = 0;
};

}  // namespace kbx::llm
