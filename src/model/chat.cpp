#include "model/chat.h"

#include <fmt/format.h>

#include <array>

namespace kbx {
namespace {

constexpr std::array<std::string_view, 10> kStop{"end",    "length",  "stop_sequence", "tool",    "filter",
                                                 "refusal", "pause", "context_full",  "aborted", "unknown"};
constexpr std::array<std::string_view, 14> kFault{"connect", "timeout", "cut",     "http",      "protocol",      "rate",      "overloaded",
                                                  "auth",    "billing", "invalid", "too_large", "refused_by_us", "cancelled", "budget"};
constexpr std::array<std::string_view, 3> kThinking{"unset", "off", "on"};

template <class Enum, size_t N>
std::optional<Enum> find(const std::array<std::string_view, N>& names, std::string_view text) {
  for (size_t k = 0; k < N; k++)
    if (names[k] == text) return Enum(k);
  return std::nullopt;
}

std::string string_or(const Json& json, const char* key) { return get_string(json, key).value_or(""); }
int64_t int_or(const Json& json, const char* key) { return get_int(json, key).value_or(0); }
int small_or(const Json& json, const char* key, int otherwise = 0) {
  auto v = get_int(json, key);
  return v && *v >= 0 && *v <= INT32_MAX ? int(*v) : otherwise;
}

Json id_json(const CallId& id) {
  return {{"task", id.task}, {"role", id.role}, {"round", id.round}, {"slot", id.slot}, {"attempt", id.attempt}};
}
CallId id_from(const Json& json) {
  return {string_or(json, "task"), string_or(json, "role"), small_or(json, "round"), small_or(json, "slot"), small_or(json, "attempt")};
}

Json sampling_json(const Sampling& s) {
  Json out = Json::object();
  if (s.temperature) out["temperature"] = *s.temperature;
  if (s.top_p) out["top_p"] = *s.top_p;
  if (s.top_k) out["top_k"] = *s.top_k;
  if (s.seed) out["seed"] = *s.seed;
  if (!s.stop.empty()) out["stop"] = s.stop;
  return out;
}
Sampling sampling_from(const Json& json) {
  Sampling s;
  s.temperature = get_double(json, "temperature");
  s.top_p = get_double(json, "top_p");
  if (get_int(json, "top_k")) s.top_k = small_or(json, "top_k");
  if (auto seed = get_int(json, "seed")) s.seed = *seed;
  for (const Json& word : get(json, "stop"))
    if (word.is_string()) s.stop.push_back(word.get<std::string>());
  return s;
}

Json usage_json(const Usage& u) {
  return {{"in", u.in},   {"in_cached", u.in_cached}, {"in_cache_write", u.in_cache_write},
          {"out", u.out}, {"reasoning", u.reasoning}, {"estimated", u.estimated}};
}
Usage usage_from(const Json& json) {
  return {int_or(json, "in"),  int_or(json, "in_cached"), int_or(json, "in_cache_write"),
          int_or(json, "out"), int_or(json, "reasoning"), get_bool(json, "estimated").value_or(false)};
}

}  // namespace

std::string_view to_text(Stop stop) { return kStop[size_t(stop)]; }
std::optional<Stop> stop_from_text(std::string_view text) { return find<Stop>(kStop, text); }
std::string_view to_text(ApiFault fault) { return kFault[size_t(fault)]; }
std::optional<ApiFault> api_fault_from_text(std::string_view text) { return find<ApiFault>(kFault, text); }

std::string to_text(const CallId& id) { return fmt::format("{}/{}/{}/{}/{}", id.task, id.role, id.round, id.slot, id.attempt); }

Json chat_request_json(const ChatRequest& r) {
  Json messages = Json::array();
  for (const ChatMessage& m : r.messages) {
    Json one = {{"speaker", m.speaker == Speaker::user ? "user" : "assistant"}, {"text", m.text}};
    if (m.stable) one["stable"] = true;
    messages.push_back(std::move(one));
  }
  Json out = {{"id", id_json(r.id)},
              {"model", r.model},
              {"system", r.system},
              {"system_stable", r.system_stable},
              {"messages", std::move(messages)},
              {"sampling", sampling_json(r.sampling)},
              {"max_tokens", r.max_tokens},
              {"thinking", kThinking[size_t(r.thinking)]}};
  if (!r.effort.empty()) out["effort"] = r.effort;
  if (!r.schema.is_null()) out["schema"] = r.schema;
  if (!r.prompt.empty()) out["prompt"] = r.prompt;
  return out;
}

ChatRequest chat_request_from(const Json& json) {
  ChatRequest r;
  r.id = id_from(get(json, "id"));
  r.model = string_or(json, "model");
  r.system = string_or(json, "system");
  r.system_stable = get_bool(json, "system_stable").value_or(true);
  for (const Json& m : get(json, "messages"))
    r.messages.push_back({get_string(m, "speaker") == "assistant" ? Speaker::assistant : Speaker::user, string_or(m, "text"),
                          get_bool(m, "stable").value_or(false)});
  r.sampling = sampling_from(get(json, "sampling"));
  r.max_tokens = int_or(json, "max_tokens");
  r.thinking = find<Thinking>(kThinking, string_or(json, "thinking")).value_or(Thinking::unset);
  r.effort = string_or(json, "effort");
  r.schema = get(json, "schema");
  r.prompt = string_or(json, "prompt");
  return r;
}

Json chat_reply_json(const ChatReply& r) {
  return {{"text", r.text},
          {"reasoning", r.reasoning},
          {"stop", to_text(r.stop)},
          {"raw_stop", r.raw_stop},
          {"model_returned", r.model_returned},
          {"fingerprint", r.fingerprint},
          {"request_id", r.request_id},
          {"usage", usage_json(r.usage)},
          {"timing",
           {{"first_byte", r.timing.first_byte}, {"first_token", r.timing.first_token}, {"total", r.timing.total}, {"tries", r.timing.tries}}}};
}

ChatReply chat_reply_from(const Json& json) {
  ChatReply r;
  r.text = string_or(json, "text");
  r.reasoning = string_or(json, "reasoning");
  r.stop = stop_from_text(string_or(json, "stop")).value_or(Stop::unknown);
  r.raw_stop = string_or(json, "raw_stop");
  r.model_returned = string_or(json, "model_returned");
  r.fingerprint = string_or(json, "fingerprint");
  r.request_id = string_or(json, "request_id");
  r.usage = usage_from(get(json, "usage"));
  const Json& t = get(json, "timing");
  r.timing = {get_double(t, "first_byte").value_or(0), get_double(t, "first_token").value_or(0), get_double(t, "total").value_or(0),
              small_or(t, "tries", 1)};
  return r;
}

Json api_error_json(const ApiError& e) {
  Json out = {{"fault", to_text(e.fault)},   {"http", e.http}, {"type", e.type}, {"message", e.message}, {"retryable", e.retryable},
              {"stops_provider", e.stops_provider}, {"tries", e.tries}};
  if (e.retry_after) out["retry_after"] = *e.retry_after;
  if (e.usage) out["usage"] = usage_json(*e.usage);
  return out;
}

ApiError api_error_from(const Json& json) {
  ApiError e;
  e.fault = api_fault_from_text(string_or(json, "fault")).value_or(ApiFault::http);
  e.http = small_or(json, "http");
  e.type = string_or(json, "type");
  e.message = string_or(json, "message");
  e.retry_after = get_double(json, "retry_after");
  e.retryable = get_bool(json, "retryable").value_or(false);
  e.stops_provider = get_bool(json, "stops_provider").value_or(false);
  e.tries = small_or(json, "tries", 1);
  if (get(json, "usage").is_object()) e.usage = usage_from(get(json, "usage"));
  return e;
}

}  // namespace kbx
