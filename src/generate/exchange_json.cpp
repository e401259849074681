#include "generate/exchange_json.h"

#include <fmt/format.h>
#include <string.h>

#include <array>
#include <cmath>
#include <iterator>

#include "base/base64.h"
#include "base/text.h"

namespace kbx::generate {
namespace {

bool is_ascii(std::string_view bytes) {
  uint64_t high = 0, word = 0;
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    memcpy(&word, bytes.data(), sizeof word);
    high |= word;
  }
  for (char c : bytes) high |= static_cast<unsigned char>(c);
  return (high & 0x8080808080808080) == 0;
}

bool is_utf8(const std::string& bytes) {
  return is_ascii(bytes) || clean_utf8(bytes) == bytes;  // nearly all pieces are ASCII
}

long long microseconds(double seconds) { return std::llround(seconds * 1e6); }

// As dump_json() writes a string; `text` is UTF-8.
void add_quoted(std::string& out, std::string_view text) {
  auto plain = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; };
  constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
  out += '"';
  for (size_t at = 0; at < text.size(); at++) {
    size_t end = at;
    while (end < text.size() && plain(text[end])) end++;
    out += text.substr(at, end - at);
    if ((at = end) == text.size()) break;
    size_t known = kShort.find(text[at]);
    if (known != kShort.npos) (out += '\\') += kLetters[known];
    else fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(text[at]));
  }
  out += '"';
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
  for (const llm::RawPiece& p : exchange.pieces) pieces.push_back(Json::array({double(microseconds(p.at)) / 1e6, bytes_json(p.bytes)}));
  return {{"status", exchange.status}, {"headers", std::move(headers)}, {"pieces", std::move(pieces)}};
}

std::string raw_text(const llm::Exchange& exchange) {
  Json head = raw_json({.status = exchange.status, .headers = exchange.headers});
  std::string out = dump_json(head);
  out.resize(out.size() - 2);  // "]}" of no pieces
  size_t bytes = 0;
  for (const llm::RawPiece& p : exchange.pieces) bytes += p.bytes.size() + 40;
  out.reserve(out.size() + bytes + bytes / 4);
  for (const llm::RawPiece& p : exchange.pieces) {
    long long at = microseconds(p.at);
    fmt::format_to(std::back_inserter(out), "{}[{}.{:06},", &p == exchange.pieces.data() ? "" : ",", at / 1000000, at % 1000000);
    if (is_utf8(p.bytes)) add_quoted(out, p.bytes);
    else out += dump_json(bytes_json(p.bytes));
    out += ']';
  }
  return out += "]}";
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
