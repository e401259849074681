// ApiError from what a server sent instead of a reply: a refusal's head and body, or an error inside a stream.
#pragma once
#include <string>
#include <string_view>

#include "llm/dialect.h"
#include "model/chat.h"

namespace kbx::llm {

// An HTTP answer that is no 2xx, or a 2xx whose body is no reply. The body may be a JSON object of any vendor's form, a
// string, HTML, cut or empty. `now`: unix seconds (retry-after).
//   retryable       408, 409, 429, 5xx unless x-should-retry says otherwise; never 400, 401, 402, 403, 404, 413, 422
//   stops_provider  401, 402, 403, and whatever speaks of an empty balance or quota
ApiError error_of_answer(int status, const Headers& headers, std::string_view body, double now);

// An error that came inside a stream or a batch: the value of its "error" key (an object or a string), or the object
// itself. `status` is that of the answer it came in; a status or a known word inside the error decides what it means.
ApiError error_inside(int status, const Json& error);

// For what the reader itself finds wrong with an answer.
ApiError error_of_ours(ApiFault fault, int status, std::string message, bool retryable);

// Keys and bearer tokens become "[key]": servers quote what they were sent.
std::string without_secrets(std::string_view text);

}  // namespace kbx::llm
