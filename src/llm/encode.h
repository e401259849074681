// A ChatRequest as a protocol's JSON body: only fields that the dialect and the model take.
#pragma once
#include <string>
#include <vector>

#include "llm/provider.h"
#include "model/chat.h"

namespace kbx::llm {

struct Encoding {
  Json body;
  std::vector<std::string> left_out;  // as HttpRequest::left_out
};

// What servers of one OpenAI dialect take beyond model, messages, stream, temperature, top_p and max_tokens.
struct OpenAiFields {
  bool top_k = false, seed = false, stop = false, schema = false;
  bool usage_option = false;  // stream_options.include_usage
  enum class Think : unsigned char { none, type, kwargs, reasoning } think = Think::none;
  bool effort = false;        // reasoning_effort
  bool think_tags = false;    // on the way back: <think> may stand in the text
  bool sampling_always = false;  // any model there takes it: the server does the sampling itself
};
const OpenAiFields& openai_fields(DialectName name);

// Errors (code usage): nothing to say, an empty message, the last word is not the user's, no max_tokens where one must be.
Result<Encoding> anthropic_body(const ChatRequest& request, const Model& model, bool stream);
Result<Encoding> openai_body(DialectName name, const ChatRequest& request, const Model& model, bool stream);

// The tokens to ask for: the request's, at most the model's own limit; 0 = neither is known.
int64_t most_tokens(const ChatRequest& request, const Model& model);
Result<void> check_request(const ChatRequest& request);
// Temperature and top_p as the model takes them; what is changed or dropped is noted.
void put_temperature(const ChatRequest& request, const Model& model, bool allowed, Encoding& out);

}  // namespace kbx::llm
