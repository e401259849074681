// Chat: one question to a model and its reply, in no vendor's words. llm/ turns it into bytes of a protocol and back;
// agent/ makes and reads it; the journal keeps it.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"

namespace kbx {

// Where a call stands in a run: stable over resumes, and with the request's hash the key of its cassette.
struct CallId {
  std::string task, role;              // "softmax", "generator"
  int round = 0, slot = 0, attempt = 0;  // from 0; attempt: asked again because the reply was of no use to the loop
  auto operator<=>(const CallId&) const = default;
};
std::string to_text(const CallId& id);  // "softmax/generator/0/2/0"

enum class Speaker : unsigned char { user, assistant };
struct ChatMessage {
  Speaker speaker = Speaker::user;
  std::string text;
  bool stable = false;  // the conversation up to and with this message returns in other calls: a mark for prompt caching
};

// What is not set is not sent: the server's default.
struct Sampling {
  std::optional<double> temperature, top_p;
  std::optional<int> top_k;
  std::optional<int64_t> seed;
  std::vector<std::string> stop;
};
enum class Thinking : unsigned char { unset, off, on };

struct ChatRequest {
  CallId id;
  std::string model;   // name in [models], not the vendor's id
  std::string system;
  bool system_stable = true;
  std::vector<ChatMessage> messages;
  Sampling sampling;
  int64_t max_tokens = 0;  // of the reply, reasoning included; 0 = the model's own limit
  Thinking thinking = Thinking::unset;
  std::string effort;      // "low", "medium", "high", ...; "" = not sent
  Json schema;             // of the reply, where a dialect can ask for one; null = free text
  std::string prompt;      // name and hash of the prompt's template, for the journal
};

struct Usage {
  int64_t in = 0;          // all input tokens, cached ones included
  int64_t in_cached = 0;   // of them: read from a cache
  int64_t in_cache_write = 0;
  int64_t out = 0;         // all output tokens, reasoning included
  int64_t reasoning = 0;   // of them
  bool estimated = false;  // the server did not say, or the stream was cut
};

enum class Stop : unsigned char { end, length, stop_sequence, tool, filter, refusal, pause, context_full, aborted, unknown };
std::string_view to_text(Stop stop);
std::optional<Stop> stop_from_text(std::string_view text);

struct CallTiming {  // seconds since the request was sent
  double first_byte = 0, first_token = 0, total = 0;
  int tries = 1;
};

struct ChatReply {
  std::string text, reasoning;
  Stop stop = Stop::unknown;
  std::string raw_stop;        // the vendor's word
  std::string model_returned;  // may differ from what was asked for
  std::string fingerprint, request_id;
  Usage usage;
  CallTiming timing;
};

// Why a call gave no reply. `stops_provider`: no other call can do better (key, balance, permission).
enum class ApiFault : unsigned char { connect, timeout, cut, http, protocol, rate, overloaded, auth, billing, invalid, too_large, refused_by_us, cancelled, budget };
std::string_view to_text(ApiFault fault);
std::optional<ApiFault> api_fault_from_text(std::string_view text);

struct ApiError {
  ApiFault fault = ApiFault::http;
  int http = 0;                        // status; 0 = none came
  std::string type, message;           // the vendor's, cleaned of secrets
  std::optional<double> retry_after;   // seconds
  bool retryable = false, stops_provider = false;
  int tries = 1;
  std::optional<Usage> usage;          // what was used all the same
};
using ChatResult = std::variant<ChatReply, ApiError>;

Json chat_request_json(const ChatRequest& request);
ChatRequest chat_request_from(const Json& json);
Json chat_reply_json(const ChatReply& reply);
ChatReply chat_reply_from(const Json& json);
Json api_error_json(const ApiError& error);
ApiError api_error_from(const Json& json);

}  // namespace kbx
