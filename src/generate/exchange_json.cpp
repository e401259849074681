#include "generate/exchange_json.h"

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"

namespace kbx::generate {
namespace {

bool is_utf8(const std::string& bytes) {
  bool ascii = std::none_of(bytes.begin(), bytes.end(), [](char c) { return c & 0x80; });  // as nearly all pieces are
  return ascii || clean_utf8(bytes) == bytes;
}

Json bytes_json(const std::string& bytes) {
  if (is_utf8(bytes)) return bytes;
  return {{"base64", to_base64(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size())}};
}
std::string bytes_from(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  auto bytes = from_base64(get_string(json, "base64").value_or(""));
  return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string();
}

}  // namespace

Json result_json(const ChatResult& result) {
  if (const auto* reply = std::get_if<ChatReply>(&result)) return {{"reply", chat_reply_json(*reply)}};
  return {{"error", api_error_json(std::get<ApiError>(result))}};
}

ChatResult result_from(const Json& json) {
  if (const Json& reply = get(json, "reply"); reply.is_object()) return chat_reply_from(reply);
  return api_error_from(get(json, "error"));
}

Json raw_json(const llm::Exchange& exchange) {
  Json headers = Json::array(), pieces = Json::array();
  for (const auto& [name, value] : exchange.headers) headers.push_back({name, value});
  for (const llm::RawPiece& p : exchange.pieces) pieces.push_back(Json::array({p.at, bytes_json(p.bytes)}));
  return {{"status", exchange.status}, {"headers", std::move(headers)}, {"pieces", std::move(pieces)}};
}

void raw_from(const Json& json, llm::Exchange& exchange) {
  exchange.status = int(get_int(json, "status").value_or(0));
  for (const Json& h : get(json, "headers"))
    if (h.is_array() && h.size() == 2 && h[0].is_string() && h[1].is_string()) exchange.headers.emplace_back(h[0].get<std::string>(), h[1].get<std::string>());
  for (const Json& p : get(json, "pieces"))
    if (p.is_array() && p.size() == 2 && p[0].is_number()) exchange.pieces.push_back({p[0].get<double>(), bytes_from(p[1])});
}

Usage usage_of(const ChatResult& result) {
  if (const auto* reply = std::get_if<ChatReply>(&result)) return reply->usage;
  return std::get<ApiError>(result).usage.value_or(Usage{});
}

bool was_used(const Usage& usage) { return usage.in > 0 || usage.out > 0; }

double seconds_of(const ChatResult& result) {
  const auto* reply = std::get_if<ChatReply>(&result);
  return reply ? reply->timing.total : 0;
}

}  // namespace kbx::generate
