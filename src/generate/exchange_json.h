// What a finished call left, as JSON: the form of cassettes and of a run's `raw` blobs.
#pragma once
#include "llm/client.h"

namespace kbx::generate {

// {"reply": ...} or {"error": ...}
Json result_json(const ChatResult& result);
ChatResult result_from(const Json& json);

// {"status", "headers": [[name, value]], "pieces": [[seconds, text]]}; bytes that are no UTF-8 as {"base64": ...}.
// Times to a microsecond.
Json raw_json(const llm::Exchange& exchange);
// The same as text, without a value for each of hundreds of pieces between.
std::string raw_text(const llm::Exchange& exchange);
// Fills status, headers and pieces.
void raw_from(const Json& json, llm::Exchange& exchange);

// What was used, of a reply or of an error that says it.
Usage usage_of(const ChatResult& result);
bool was_used(const Usage& usage);
double seconds_of(const ChatResult& result);

}  // namespace kbx::generate
