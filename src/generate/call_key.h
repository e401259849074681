// The key of a call: what is asked and at which place of the run. Both are needed: the same question is drawn n times.
#pragma once
#include <string>

#include "model/chat.h"

namespace kbx::generate {

// The request without its place, the template's name and the marks for prompt caching, none of which changes what a
// model reads; one text for equal requests.
Json canonical_request(const ChatRequest& request);
// SHA-256 over the canonical request, `vendor_id` (the model as its vendor names it) and the place.
std::string call_key(const ChatRequest& request, const std::string& vendor_id);

}  // namespace kbx::generate
