#include "llm/api_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "base/text.h"
#include "llm/http_words.h"

namespace kbx::llm {
namespace {

constexpr size_t kMostMessage = 2000;

// What a server said, whatever form it said it in.
struct Words {
  std::string type, code, message;
  int status = 0;  // inside the error; 0 = none
};

bool is_error_status(long long v) { return v >= 400 && v <= 599; }

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : dump_json(value); }

Words words_of(const Json& error) {
  Words w;
  if (!error.is_object()) {
    w.message = text_of(error);
    return w;
  }
  w.type = get_string(error, "type").value_or("");
  w.code = get_string(error, "code").value_or("");
  for (const char* key : {"code", "status", "status_code"})
    if (auto v = get_int(error, key); v && is_error_status(*v) && !w.status) w.status = int(*v);
  for (const char* key : {"message", "detail", "error", "msg"})
    if (w.message.empty()) w.message = text_of(get(error, key));
  const Json& upstream = get(get(error, "metadata"), "raw");  // a gateway quotes the provider behind it
  if (!upstream.is_null()) w.message += ": " + text_of(upstream);
  if (w.message.empty()) w.message = dump_json(error);
  return w;
}

// <title>, or the text without its tags.
std::string text_of_html(std::string_view html) {
  std::string low = lower_case(html.substr(0, 65536));
  size_t begin = low.find("<title>"), end = begin == low.npos ? low.npos : low.find("</title>", begin);
  if (end != low.npos) return trim(html.substr(begin + 7, end - begin - 7));
  std::string out;
  bool tag = false;
  for (char c : html.substr(0, 4000)) {
    if (c == '<') tag = true;
    if (!tag) out += c == '\n' ? ' ' : c;
    if (c == '>') tag = false;
  }
  return trim(out);
}

Words words_of_body(std::string_view body) {
  std::string text = trim(body);
  if (text.empty()) return {"", "", "(no body)", 0};
  if (text.size() > 2 && text[0] == '\x1f' && text[1] == '\x8b') return {"", "", "(a compressed body)", 0};
  if (text[0] == '<') return {"html", "", "an HTML page: " + text_of_html(text), 0};
  auto json = parse_json(text);
  if (!json) return {"", "", text, 0};
  const Json* value = &*json;
  if (value->is_array() && !value->empty()) value = &value->front();
  const Json& inner = get(*value, "error");
  return words_of(inner.is_null() ? *value : inner);
}

struct Row {
  std::string_view word;
  int status;
};
// Words of errors inside a 200 answer, as the status that they would have had (lower case, as part of type or code).
constexpr std::array<Row, 18> kStatusOfWord{{{"overloaded", 529},
                                             {"rate_limit", 429},
                                             {"too_many_requests", 429},
                                             {"insufficient_quota", 402},
                                             {"billing", 402},
                                             {"invalid_request", 400},
                                             {"badrequest", 400},
                                             {"bad_request", 400},
                                             {"exceed_context_size", 400},
                                             {"context_length", 400},
                                             {"authentication", 401},
                                             {"invalid_api_key", 401},
                                             {"permission", 403},
                                             {"not_found", 404},
                                             {"too_large", 413},
                                             {"timeout", 504},
                                             {"unavailable", 503},
                                             {"unprocessable", 422}}};

int status_of(const Words& w, int status) {
  if (is_error_status(status)) return status;
  if (w.status) return w.status;
  std::string words = lower_case(w.type + " " + w.code);
  for (const Row& row : kStatusOfWord)
    if (words.find(row.word) != words.npos) return row.status;
  return 500;
}

bool speaks_of(const std::string& words, std::initializer_list<std::string_view> any) {
  return std::any_of(any.begin(), any.end(), [&](std::string_view w) { return words.find(w) != words.npos; });
}

struct Meaning {
  ApiFault fault;
  bool retryable = false, stops = false;
};

Meaning meaning_of(int status, const Words& w) {
  std::string words = lower_case(w.type + " " + w.code + " " + w.message);
  // OpenAI says 429 and Anthropic 400 when there is no money left.
  bool refused = status >= 400 && status < 500;
  if (refused && speaks_of(words, {"insufficient_quota", "insufficient balance", "credit balance is too low", "billing_hard_limit", "billing_not_active"}))
    return {ApiFault::billing, false, true};
  if ((status == 400 || status == 422) && speaks_of(words, {"context_length", "exceed_context_size", "context length", "prompt is too long", "context window",
                                                              "string_above_max_length", "maximum model length", "max_tokens` exceed"}))
    return {ApiFault::too_large};
  switch (status) {
    case 401: return {ApiFault::auth, false, true};
    case 402: return {ApiFault::billing, false, true};
    case 403: return {ApiFault::auth, false, true};
    case 408: case 504: return {ApiFault::timeout, true};
    case 409: return {ApiFault::http, true};
    case 413: return {ApiFault::too_large};
    case 429: return {ApiFault::rate, true};
    case 503: case 529: return {ApiFault::overloaded, true};
    default: break;
  }
  if (refused) return {ApiFault::invalid};
  return {ApiFault::http, status >= 500};
}

ApiError error_from(const Words& w, int status, int means) {
  Meaning m = meaning_of(means, w);
  ApiError e;
  e.fault = m.fault;
  e.http = status;
  e.type = without_secrets(shown(w.type.empty() ? w.code : w.type, 200));
  e.message = w.message.empty() ? "(no message)" : without_secrets(shown(w.message, kMostMessage));
  e.retryable = m.retryable;
  e.stops_provider = m.stops;
  return e;
}

bool key_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '*' || c == '.' || c == '+' || c == '/' || c == '='; }

}  // namespace

ApiError error_of_answer(int status, const Headers& headers, std::string_view body, double now) {
  if (status >= 300 && status < 400) {  // a redirect would carry the key to wherever it points
    const std::string* to = header(headers, "location");
    return error_of_ours(ApiFault::refused_by_us, status,
                         fmt::format("the server redirects to {}, and kbx follows no redirect with a key: set base_url to the right address",
                                     to ? without_secrets(shown(*to, 300)) : "nowhere"), false);
  }
  Words w = words_of_body(body);
  if (status < 300) {  // no reply in it, and no status that says why
    ApiError e = w.type == "html" || w.message == "(no body)" ? error_of_ours(ApiFault::protocol, status, "no reply in the answer: " + w.message, true)
                                                              : error_from(w, status, status_of(w, status));
    e.message = without_secrets(shown(e.message, kMostMessage));
    return e;
  }
  ApiError e = error_from(w, status, status);
  e.retry_after = retry_after_of(headers, now);
  if (const std::string* said = header(headers, "x-should-retry"); said && !e.stops_provider) {
    if (*said == "true") e.retryable = true;
    if (*said == "false") e.retryable = false;
  }
  return e;
}

ApiError error_inside(int status, const Json& error) {
  Words w = words_of(error);
  return error_from(w, status, status_of(w, 0));
}

ApiError error_of_ours(ApiFault fault, int status, std::string message, bool retryable) {
  ApiError e;
  e.fault = fault;
  e.http = status;
  e.message = std::move(message);
  e.retryable = retryable;
  return e;
}

std::string without_secrets(std::string_view text) {
  static constexpr std::string_view kBefore[] = {"sk-", "gsk_", "hf_", "xai-", "AIza", "Bearer ", "bearer "};
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t length = 0;
    if (i == 0 || !key_char(text[i - 1]))
      for (std::string_view before : kBefore)
        if (text.substr(i, before.size()) == before) {
          size_t end = i + before.size();
          while (end < text.size() && key_char(text[end])) end++;
          if (end - i >= before.size() + 6) length = end - i;
        }
    if (length) out += "[key]";
    else out += text[i];
    i += std::max<size_t>(length, 1);
  }
  return out;
}

}  // namespace kbx::llm
