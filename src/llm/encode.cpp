#include "llm/encode.h"

#include <fmt/format.h>

namespace kbx::llm {

int64_t most_tokens(const ChatRequest& request, const Model& model) {
  int64_t most = model.can.max_output;
  if (request.max_tokens <= 0) return most;
  return most > 0 ? std::min(most, request.max_tokens) : request.max_tokens;
}

Result<void> check_request(const ChatRequest& request) {
  std::string where = "the call " + to_text(request.id);
  if (request.messages.empty()) return fail(Code::usage, where + " has no message");
  for (const ChatMessage& m : request.messages)
    if (m.text.find_first_not_of(" \t\r\n") == m.text.npos) return fail(Code::usage, where + " has an empty message: servers refuse it");
  if (request.messages.front().speaker != Speaker::user || request.messages.back().speaker != Speaker::user)
    return fail(Code::usage, where + " must begin and end with the user's words: newer models refuse to go on with their own");
  return {};
}

void put_temperature(const ChatRequest& request, const Model& model, bool allowed, Encoding& out) {
  const Sampling& s = request.sampling;
  if (s.temperature && allowed) {
    double t = std::min(*s.temperature, model.can.temperature_max);
    if (t < *s.temperature) out.left_out.push_back(fmt::format("temperature {} became {}", *s.temperature, t));
    out.body["temperature"] = t;
  } else if (s.temperature) {
    out.left_out.push_back("temperature");
  }
  if (s.top_p && allowed && !(s.temperature && model.can.temperature_or_top_p)) out.body["top_p"] = *s.top_p;
  else if (s.top_p) out.left_out.push_back("top_p");
}

}  // namespace kbx::llm
