// What the tests of llm share: requests, and answers fed in pieces.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "llm/capabilities.h"
#include "llm/dialect.h"

namespace kbx::llm {

inline ChatRequest simple_request() {
  ChatRequest r;
  r.id = {"softmax", "generator", 0, 0, 0};
  r.model = "m";
  r.messages = {{Speaker::user, "Write a softmax.", false}};
  r.max_tokens = 1000;
  return r;
}

inline Provider provider_at(DialectName dialect, std::string base_url) {
  Provider p;
  p.name = "p";
  p.dialect = dialect;
  p.protocol = dialect == DialectName::anthropic ? Protocol::anthropic : Protocol::openai;
  p.base_url = std::move(base_url);
  return p;
}

inline Model model_of(DialectName dialect, std::string id) {
  Model m;
  m.name = "m";
  m.provider = "p";
  m.can = capabilities_of(dialect, id);
  m.id = std::move(id);
  return m;
}

struct Answer {
  int status = 200;
  Headers headers = {{"content-type", "text/event-stream"}};
  std::string body;
  bool whole = true;
  size_t piece = std::string::npos;  // bytes a read
  double now = 0;
};

inline ChatResult read(DialectName dialect, const Answer& a, int64_t* payloads = nullptr) {
  auto reader = dialect_of(dialect).reader(simple_request());
  reader->headers(a.status, a.headers);
  for (size_t at = 0; at < a.body.size();) {
    std::string_view rest = std::string_view(a.body).substr(at, a.piece);
    reader->feed(rest);
    at += rest.size();
  }
  if (payloads) *payloads = reader->payloads();
  return reader->finish(a.whole, a.now);
}

inline ChatReply reply(DialectName dialect, const Answer& a) {
  ChatResult r = read(dialect, a);
  if (auto* e = std::get_if<ApiError>(&r)) ADD_FAILURE() << to_text(e->fault) << ": " << e->message;
  return std::holds_alternative<ChatReply>(r) ? std::get<ChatReply>(r) : ChatReply{};
}
inline ApiError error(DialectName dialect, const Answer& a) {
  ChatResult r = read(dialect, a);
  if (auto* ok = std::get_if<ChatReply>(&r)) ADD_FAILURE() << "a reply: " << ok->text;
  return std::holds_alternative<ApiError>(r) ? std::get<ApiError>(r) : ApiError{};
}

inline std::string chunk(const std::string& inside) { return "data: {\"choices\":[{\"index\":0," + inside + "}]}\n\n"; }
inline std::string content(const std::string& text) { return chunk("\"delta\":{\"content\":\"" + text + "\"}"); }
inline std::string finish(const std::string& reason = "stop") { return chunk("\"delta\":{},\"finish_reason\":\"" + reason + "\""); }
constexpr const char* kDone = "data: [DONE]\n\n";

inline std::string event(const std::string& name, const std::string& data) { return "event: " + name + "\ndata: " + data + "\n\n"; }

}  // namespace kbx::llm
