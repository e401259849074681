// The body of POST /v1/messages.
#include <algorithm>

#include "llm/encode.h"

namespace kbx::llm {
namespace {

constexpr int kMostMarks = 4;  // breakpoints of prompt caching in one request

Json text_block(const std::string& text, bool mark) {
  Json block = {{"type", "text"}, {"text", text}};
  if (mark) block["cache_control"] = {{"type", "ephemeral"}};
  return block;
}

// Marks go where the stable prefix may end in another call; with too many the last ones hold the most.
void put_messages(const ChatRequest& request, Json& body) {
  bool system_mark = request.system_stable && !request.system.empty();
  int marks = kMostMarks - system_mark;
  std::vector<bool> mark(request.messages.size());
  for (size_t k = mark.size(); k-- > 0;)
    if (request.messages[k].stable && marks > 0) {
      mark[k] = true;
      marks--;
    }
  if (!request.system.empty()) body["system"] = Json::array({text_block(request.system, system_mark)});
  Json& messages = body["messages"] = Json::array();
  for (size_t k = 0; k < mark.size(); k++) {
    const ChatMessage& m = request.messages[k];
    Json content = mark[k] ? Json::array({text_block(m.text, true)}) : Json(m.text);
    messages.push_back({{"role", m.speaker == Speaker::user ? "user" : "assistant"}, {"content", std::move(content)}});
  }
}

// Of max_tokens, by effort; the least that the API takes is 1024.
int64_t budget(const ChatRequest& request, int64_t most) {
  int64_t share = request.effort == "low" ? most / 4 : request.effort == "high" || request.effort == "max" ? most * 3 / 4 : most / 2;
  return std::max<int64_t>(1024, share);
}

// Whether the model will think in a way that forbids sampling parameters.
bool put_thinking(const ChatRequest& request, const Model& model, int64_t most, Encoding& out) {
  const Capabilities& can = model.can;
  if (request.thinking == Thinking::off) {
    if (can.always_thinks) out.left_out.push_back("thinking off");
    else if (can.thinks_by_default) out.body["thinking"] = {{"type", "disabled"}};
    return can.always_thinks;
  }
  if (request.thinking == Thinking::unset) return can.thinks_by_default || can.always_thinks;
  if (can.adaptive_thinking) {
    out.body["thinking"] = {{"type", "adaptive"}};
  } else if (can.budget_thinking && most > 1024) {
    out.body["thinking"] = {{"type", "enabled"}, {"budget_tokens", std::min(budget(request, most), most - 1)}};
  } else {
    out.left_out.push_back("thinking on");
    return false;
  }
  return true;
}

}  // namespace

Result<Encoding> anthropic_body(const ChatRequest& request, const Model& model, bool stream) {
  KBX_TRY(check_request(request));
  int64_t most = most_tokens(request, model);
  if (most <= 0)
    return fail(Code::usage, "model \"" + model.name + "\": this API wants max_tokens: set it in the method, or max_output in [models." + model.name + "]");
  Encoding out;
  out.body = {{"model", model.id}, {"max_tokens", most}};
  put_messages(request, out.body);
  bool thinks = put_thinking(request, model, most, out);
  put_temperature(request, model, model.can.sampling && !thinks, out);
  const Sampling& s = request.sampling;
  if (s.top_k && model.can.sampling && !thinks) out.body["top_k"] = *s.top_k;
  else if (s.top_k) out.left_out.push_back("top_k");
  if (s.seed) out.left_out.push_back("seed");
  if (!s.stop.empty()) out.body["stop_sequences"] = s.stop;
  Json config = Json::object();
  bool effort_is_budget = out.body.contains("thinking") && out.body["thinking"].contains("budget_tokens");
  if (!request.effort.empty() && model.can.effort) config["effort"] = request.effort;
  else if (!request.effort.empty() && !effort_is_budget) out.left_out.push_back("effort");
  if (!request.schema.is_null() && model.can.schema) config["format"] = {{"type", "json_schema"}, {"schema", request.schema}};
  else if (!request.schema.is_null()) out.left_out.push_back("schema");
  if (!config.empty()) out.body["output_config"] = std::move(config);
  if (stream) out.body["stream"] = true;
  return out;
}

}  // namespace kbx::llm
