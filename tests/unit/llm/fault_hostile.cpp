// Floods, bombs, lies about length, JSON that is hard to read, and the key sent back in disguise.
#include "fault_hostile.h"

#include <fmt/format.h>

#include "base/json.h"

namespace kbx::llm::faults {
namespace {

using Pieces = std::vector<std::string>;

Headers events() { return {{"content-type", "text/event-stream"}, {"transfer-encoding", "chunked"}}; }
Pieces whole_reply(const Seen& r, std::string_view text = "fine") { return r.anthropic() ? anthropic_reply(text) : openai_reply(text); }
std::string joined(const Pieces& pieces) {
  std::string out;
  for (const std::string& p : pieces) out += p;
  return out;
}
// A reply whose text is this JSON string, as it stands between the quotes.
Script raw_text(const Seen& r, const std::string& text) {
  std::string all = joined(whole_reply(r, "PLACE"));
  return stream({all.replace(all.find("PLACE"), 5, text)});
}
// One more event before the end of a reply.
Script with_event(const Seen& r, const std::string& name, const std::string& json) {
  Pieces p = whole_reply(r);
  p.insert(p.end() - 1, r.anthropic() ? event(name, json) : sse(json));
  return stream({joined(p)});
}

// Deflate with fixed codes (RFC 1951, 3.2.6): `byte` once, then the same 258 bytes again and again, 13 bits each.
std::string gzip_of_one_byte(char byte, size_t size) {
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  unsigned buffer = 0, bits = 0;
  auto put = [&](unsigned code, unsigned length, bool from_top) {
    for (unsigned k = 0; k < length; k++) {
      buffer |= (code >> (from_top ? length - 1 - k : k) & 1) << bits;
      if (++bits == 8) out += char(buffer), buffer = bits = 0;
    }
  };
  put(0b011, 3, false);  // last block, fixed codes
  put(0x30u + static_cast<unsigned char>(byte), 8, true);
  for (size_t k = 1; k < size; k += 258) put(0b11000101, 8, true), put(0, 5, true);
  put(0, 7, true);
  put(0, 7, false);  // to the end of a byte
  return out + std::string(8, '\0');  // a wrong sum, were it ever reached
}

Script bomb(char byte) {
  static const std::string kSpaces = gzip_of_one_byte(' ', size_t(200) << 20), kLetters = gzip_of_one_byte('x', size_t(200) << 20);
  const std::string& body = byte == ' ' ? kSpaces : kLetters;
  return whole(200, body, {{"content-type", "text/event-stream"}, {"content-encoding", "gzip"}});
}

Script header_flood(const Seen&) {
  Headers many;
  for (int k = 0; k < 20000; k++) many.emplace_back(fmt::format("x-flood-{}", k), std::string(60, 'x'));
  return {say(head(200, many)), close()};
}

Script many_keys(const Seen& r) {
  std::string json = "{";
  for (int k = 0; k < 100000; k++) json += fmt::format("\"k{}\":0,", k);
  return with_event(r, "message_delta", json + "\"type\":\"news\"}");
}

Script same_keys(const Seen& r) {
  if (r.anthropic()) return with_event(r, "message_delta", R"({"type":"error","type":"message_delta","delta":{"stop_reason":"refusal"},"delta":{"stop_reason":"end_turn"},"usage":null,"usage":{"output_tokens":7}})");
  return with_event(r, "", R"({"error":{"message":"x"},"error":null,"choices":[{"index":5,"index":0,"delta":{"content":"a","content":""},"finish_reason":"length","finish_reason":"stop"}]})");
}

Script tool_flood(const Seen& r) {
  std::string megabyte = dump_json(Json(std::string(1 << 20, 'a')));
  Pieces p;
  if (r.anthropic()) p = {anthropic_start(11), event("content_block_start", R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}})")};
  for (int k = 0; k < 8; k++)
    p.push_back(r.anthropic() ? event("content_block_delta", fmt::format(R"({{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":{}}}}})", megabyte))
                              : sse(fmt::format(R"({{"choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,"function":{{"name":"f","arguments":{}}}}}]}},"finish_reason":null}}]}})", megabyte)));
  p.push_back(r.anthropic() ? anthropic_stop("tool_use", 7) : openai_stop("tool_calls") + openai_usage(11, 7) + sse("[DONE]"));
  return stream(p);
}

// Counts that overflow, names of a megabyte.
Script huge_counts(const Seen& r) {
  const char* counts = R"("input_tokens":9223372036854775807,"output_tokens":18446744073709551615,"cache_read_input_tokens":9223372036854775807,"prompt_tokens":9223372036854775807,"completion_tokens":1e300,"total_tokens":-9)";
  if (r.anthropic()) return with_event(r, "message_delta", fmt::format(R"({{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{{{}}}}})", counts));
  return with_event(r, "", fmt::format(R"({{"choices":[],"usage":{{{}}}}})", counts));
}
Script huge_words(const Seen& r) {
  std::string word(1 << 20, 'w');
  if (r.anthropic())
    return with_event(r, "message_start", fmt::format(R"({{"type":"message_start","message":{{"id":"{0}","model":"{0}\u001b[31m","content":[],"usage":{{"input_tokens":11,"output_tokens":1}}}}}})", word));
  return with_event(r, "", fmt::format(R"({{"id":"{0}","model":"{0}\u001b[31m","system_fingerprint":"{0}","choices":[{{"index":0,"delta":{{}},"finish_reason":"{0}"}}]}})", word));
}

std::string key_of(const Seen& r) { return r.header(r.anthropic() ? "x-api-key" : "authorization"); }
// The key as a JSON string that spells no letter of it.
std::string escaped(const std::string& key) {
  std::string out;
  for (char c : key) out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
  return out;
}
Script echo_cut(const Seen& r) {
  Pieces out = r.anthropic() ? Pieces{anthropic_start(11), anthropic_block(0, "text")} : Pieces{};
  for (char c : key_of(r)) out.push_back(r.anthropic() ? anthropic_text(0, std::string(1, c)) : openai_delta(std::string(1, c)));
  return broken_stream(out, {close()});
}

Script reply_then(const Seen& r, const std::string& last) { return {say(head(200, events()) + chunk(joined(whole_reply(r))) + last)}; }
Script limits(const Seen& r, const std::string& value) {
  Headers more{{"content-type", "application/json"}};
  for (const char* name : {"retry-after", "retry-after-ms", "x-ratelimit-remaining-requests", "x-ratelimit-limit-requests", "x-ratelimit-reset-requests", "x-ratelimit-remaining-tokens",
                           "x-ratelimit-reset-tokens", "anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", "anthropic-ratelimit-output-tokens-remaining"})
    more.emplace_back(name, value);
  if (r.number == 1) return whole(429, R"({"error":{"message":"wait","type":"rate_limit_error"}})", more);
  return stream(whole_reply(r));
}

}  // namespace

const std::map<std::string, Play>& hostile_scenarios() {
  static const std::map<std::string, Play> kTable{
      {"header-flood", header_flood},
      {"header-endless", [](const Seen&) { return Script{say("HTTP/1.1 200 OK\r\n"), repeat("x-more: " + std::string(1000, 'x') + "\r\n", 0)}; }},
      {"hints-endless", [](const Seen&) { return Script{repeat("HTTP/1.1 103 Early Hints\r\nlink: " + std::string(1000, 'x') + "\r\n\r\n", 0)}; }},
      {"line-endless", [](const Seen&) { return broken_stream({"data: "}, {repeat(chunk(std::string(60000, 'x')), 0)}); }},
      {"events-without-data", [](const Seen&) { return broken_stream({}, {repeat(chunk("event: message_start\n\nid: 7\n\nretry: 9\n\n"), 0.01)}); }},
      {"bomb", [](const Seen&) { return bomb('x'); }},
      {"bomb-of-blanks", [](const Seen&) { return bomb(' '); }},
      {"garbage-behind", [](const Seen& r) { return reply_then(r, kLastChunk + "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil"); }},
      {"trailers", [](const Seen& r) { return reply_then(r, "0\r\nHTTP/1.1 401 No\r\nretry-after: 9\r\nx-should-retry: true\r\n\r\n"); }},
      {"nul", [](const Seen& r) { return raw_text(r, std::string("a\0b", 3)); }},
      {"nul-escaped", [](const Seen& r) { return raw_text(r, "a\\u0000b"); }},
      {"not-utf8", [](const Seen& r) { return raw_text(r, "a\xff\xfe\xc3(b"); }},
      {"half-letter", [](const Seen& r) { return raw_text(r, "a\\ud83db"); }},
      {"deep", [](const Seen& r) { return with_event(r, "message_delta", std::string(200000, '[')); }},
      {"deep-refusal", [](const Seen&) { return whole(400, R"({"error":)" + std::string(60000, '{')); }},
      {"many-keys", many_keys},
      {"same-keys", same_keys},
      {"tool-flood", tool_flood},
      {"huge-counts", huge_counts},
      {"huge-words", huge_words},
      {"huge-refusal", [](const Seen&) { return whole(400, R"({"error":{"type":"\u001b[2J)" + std::string(1 << 20, 't') + R"(","message":"\u001b]0;title\u0007)" + std::string(8 << 20, 'm') + "\"}}"); }},
      {"limits-infinite", [](const Seen& r) { return limits(r, "inf"); }},
      {"limits-nan", [](const Seen& r) { return limits(r, "nan"); }},
      {"limits-negative", [](const Seen& r) { return limits(r, "-1e308"); }},
      {"limits-huge", [](const Seen& r) { return limits(r, "1e308"); }},
      {"limits-words", [](const Seen& r) { return limits(r, "soon\x01"); }},
      {"no-http", [](const Seen&) { return Script{say("SSH-2.0-OpenSSH_9.2\r\n"), close()}; }},
      {"upgrade", [](const Seen&) { return Script{say("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\nxxxx"), close()}; }},
      {"no-content", [](const Seen&) { return Script{say("HTTP/1.1 204 No Content\r\n\r\n")}; }},
      {"status-of-words", [](const Seen&) { return Script{say("HTTP/1.1 abc OK\r\ncontent-length: 0\r\n\r\n"), close()}; }},
      {"length-too-long", [](const Seen& r) { return Script{say(head(200, {{"content-type", "text/event-stream"}, {"content-length", "99999999999"}}) + openai_delta("He") + r.body.substr(0, 0)), close()}; }},
      {"length-negative", [](const Seen&) { return Script{say(head(200, {{"content-length", "-5"}}) + "{}"), close()}; }},
      {"chunk-too-large", [](const Seen&) { return Script{say(head(200, events()) + "fffffffffffffffffff\r\nxx"), close()}; }},
      {"echo-escaped", [](const Seen& r) { return whole(400, fmt::format(R"({{"error":{{"message":"bad key {}","type":"invalid_request_error"}}}})", escaped(key_of(r)))); }},
      {"echo-cut", echo_cut},
  };
  return kTable;
}

}  // namespace kbx::llm::faults
