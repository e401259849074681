// The body of POST /chat/completions, by dialect.
#include <array>

#include "llm/encode.h"
#include "llm/http_words.h"

namespace kbx::llm {
namespace {

using Think = OpenAiFields::Think;

// In DialectName's order, from openai. docs/providers.md says where each word comes from.
constexpr std::array<OpenAiFields, 7> kFields{{
    {.seed = true, .stop = true, .schema = true, .usage_option = true, .effort = true},                          // openai
    {.stop = true, .usage_option = true, .think = Think::type, .effort = true, .think_tags = true},              // deepseek
    {.top_k = true, .seed = true, .stop = true, .schema = true, .usage_option = true, .think = Think::kwargs, .effort = true, .think_tags = true, .sampling_always = true},  // vllm
    {.top_k = true, .seed = true, .stop = true, .schema = true, .usage_option = true, .think = Think::kwargs, .effort = true, .think_tags = true, .sampling_always = true},  // sglang
    {.top_k = true, .seed = true, .stop = true, .schema = true, .usage_option = true, .think = Think::kwargs, .think_tags = true, .sampling_always = true},                  // llamacpp
    {.seed = true, .think_tags = true, .sampling_always = true},                                                 // transformers
    {.top_k = true, .seed = true, .stop = true, .schema = true, .usage_option = true, .think = Think::reasoning, .think_tags = true},                                        // gateway
}};

// A gateway hands the marks of prompt caching on to Anthropic's models, which cache nothing without; others do it unasked.
Json content_of(const std::string& text, bool mark) {
  if (!mark) return text;
  return Json::array({{{"type", "text"}, {"text", text}, {"cache_control", {{"type", "ephemeral"}}}}});
}

void put_messages(DialectName name, const ChatRequest& request, const Model& model, Json& body) {
  bool marks = name == DialectName::gateway && model.id.rfind("anthropic/", 0) == 0;
  int left = 4;
  Json messages = Json::array();
  for (size_t k = request.messages.size(); k-- > 0;) {
    const ChatMessage& m = request.messages[k];
    bool mark = marks && m.stable && left > 1;
    left -= mark;
    messages.push_back({{"role", m.speaker == Speaker::user ? "user" : "assistant"}, {"content", content_of(m.text, mark)}});
  }
  if (!request.system.empty()) messages.push_back({{"role", "system"}, {"content", content_of(request.system, marks && request.system_stable)}});
  std::reverse(messages.begin(), messages.end());
  body["messages"] = std::move(messages);
}

void put_thinking(const OpenAiFields& fields, const ChatRequest& request, const Model& model, Encoding& out) {
  bool set = request.thinking != Thinking::unset, on = request.thinking == Thinking::on;
  bool effort = !request.effort.empty() && model.can.effort;
  switch (fields.think) {
    case Think::type:
      if (set) out.body["thinking"] = {{"type", on ? "enabled" : "disabled"}};
      break;
    case Think::kwargs:  // a word of the model's chat template
      if (set) out.body["chat_template_kwargs"] = {{lower_case(model.id).find("deepseek") == std::string::npos ? "enable_thinking" : "thinking", on}};
      break;
    case Think::reasoning:
      if (effort && (on || !set)) out.body["reasoning"] = {{"effort", request.effort}};
      else if (set) out.body["reasoning"] = {{"enabled", on}};
      break;
    case Think::none:
      if (set && !(on && (model.can.thinks_by_default || model.can.always_thinks))) out.left_out.push_back(on ? "thinking on" : "thinking off");
      break;
  }
  if (effort && fields.effort) out.body["reasoning_effort"] = request.effort;
  else if (!request.effort.empty() && !(effort && fields.think == Think::reasoning && request.thinking != Thinking::off)) out.left_out.push_back("effort");
}

}  // namespace

const OpenAiFields& openai_fields(DialectName name) { return kFields.at(size_t(name) - size_t(DialectName::openai)); }

Result<Encoding> openai_body(DialectName name, const ChatRequest& request, const Model& model, bool stream) {
  KBX_TRY(check_request(request));
  const OpenAiFields& fields = openai_fields(name);
  Encoding out;
  out.body = {{"model", model.id}};
  put_messages(name, request, model, out.body);
  if (int64_t most = most_tokens(request, model); most > 0) out.body[model.can.max_completion_tokens ? "max_completion_tokens" : "max_tokens"] = most;
  // DeepSeek takes a temperature from a model that thinks, and ignores it: saying that it was not sent is truer.
  bool ignored = name == DialectName::deepseek && (request.thinking == Thinking::on || (request.thinking == Thinking::unset && model.can.thinks_by_default));
  bool sampling = (fields.sampling_always || model.can.sampling) && !ignored;
  put_temperature(request, model, sampling, out);
  const Sampling& s = request.sampling;
  auto put = [&](const char* key, bool set, bool allowed, Json value) {
    if (set && allowed) out.body[key] = std::move(value);
    else if (set) out.left_out.push_back(key);
  };
  put("top_k", s.top_k.has_value(), fields.top_k && sampling, s.top_k.value_or(0));
  put("seed", s.seed.has_value(), fields.seed && (fields.sampling_always || model.can.seed), s.seed.value_or(0));
  put("stop", !s.stop.empty(), fields.stop && (name != DialectName::openai || model.can.sampling), s.stop);  // OpenAI's reasoning models take none
  put_thinking(fields, request, model, out);
  if (!request.schema.is_null()) {
    if (fields.schema && (fields.sampling_always || model.can.schema))
      out.body["response_format"] = {{"type", "json_schema"}, {"json_schema", {{"name", "reply"}, {"schema", request.schema}}}};
    else out.left_out.push_back("schema");
  }
  if (stream) {
    out.body["stream"] = true;
    if (fields.usage_option) out.body["stream_options"] = {{"include_usage", true}};
  }
  return out;
}

}  // namespace kbx::llm
