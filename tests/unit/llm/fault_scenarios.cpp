// One function a fault. W1..W24: what breaks naive clients (docs/transport.md).
#include "fault_scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "fault_hostile.h"

namespace kbx::llm::faults {
namespace {

using Pieces = std::vector<std::string>;

Pieces reply_to(const Seen& r, std::string_view text = kText) { return r.anthropic() ? anthropic_reply(text) : openai_reply(text); }

bool wants_stream(const Seen& r) {
  auto body = parse_json(r.body);
  return body && get_bool(*body, "stream").value_or(false);
}

Script fine(const Seen& r) {
  if (wants_stream(r)) return stream(reply_to(r));
  return whole(200, r.anthropic() ? anthropic_json(kText) : openai_json(kText));
}

std::string error_body(const Seen& r, std::string_view type, std::string_view message) {
  if (r.anthropic()) return fmt::format(R"({{"type":"error","error":{{"type":"{}","message":"{}"}},"request_id":"req_1"}})", type, message);
  return fmt::format(R"({{"error":{{"message":"{}","type":"{}","param":null,"code":null}}}})", message, type);
}

Script refuse(const Seen& r, int status, std::string_view type, Headers more = {}) {
  more.emplace_back("content-type", "application/json");
  return whole(status, error_body(r, type, fmt::format("said {}", status)), std::move(more));
}

// The fault at first, then a reply.
Script once(const Seen& r, const Script& fault) { return r.number == 1 ? fault : fine(r); }

std::string joined(const Pieces& pieces) {
  std::string out;
  for (const std::string& p : pieces) out += p;
  return out;
}

// Every byte in a chunk and a write of its own: letters, lines and JSON are cut everywhere. W10
Script bytewise(const Seen& r) {
  Pieces bytes;
  for (char c : joined(reply_to(r))) bytes.emplace_back(1, c);
  return stream(bytes);
}

Script cut_letter(const Seen& r) {
  std::string all = joined(reply_to(r));
  size_t at = all.find('\x9F', all.find("\xF0")) + 1;  // inside the four-byte letter
  std::string first = head(200, {{"content-type", "text/event-stream"}, {"content-length", std::to_string(all.size())}}) + all.substr(0, at);
  return {say(first), rest(0.03), say(all.substr(at))};
}

std::string with_ends(std::string text, const std::string& end) {
  std::string out;
  for (char c : text)
    if (c == '\n') out += end;
    else out += c;
  return out;
}

Script comments(const Seen& r) {
  Pieces out{": keep-alive\n\n", "\n\n", ":\n\n"};
  for (const std::string& p : reply_to(r)) {
    out.push_back(": keep-alive\n\n");
    out.push_back(p);
  }
  return stream(out);
}

Script cut_before_end(const Seen& r) {
  Pieces p = reply_to(r);
  p.resize(r.anthropic() ? p.size() - 1 : 1);
  return broken_stream(p, {close()});
}

Script reset_in_stream(const Seen& r) {
  Pieces p = reply_to(r);
  p.resize(r.anthropic() ? 3 : 1);
  return broken_stream(p, {rest(0.03), reset()});
}

Script error_in_stream(const Seen& r) {
  if (r.anthropic())
    return stream({anthropic_start(11), event("error", R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")});
  return stream({openai_delta("He"), sse(R"({"error":{"message":"Overloaded","type":"overloaded_error","code":503}})"), sse("[DONE]")});
}

// Text, then comments for ever: bytes flow, nothing is said. W24
Script stands_still(const Seen& r) {
  Pieces p = r.anthropic() ? Pieces{anthropic_start(11), anthropic_block(0, "text"), anthropic_text(0, "He")} : Pieces{openai_delta("He")};
  return broken_stream(p, {repeat(chunk(r.anthropic() ? event("ping", R"({"type":"ping"})") : ": keep-alive\n\n"), 0.02)});
}

Script never_begins(const Seen& r) {
  return broken_stream({}, {repeat(chunk(r.anthropic() ? event("ping", R"({"type":"ping"})") : ": keep-alive\n\n"), 0.02)});
}

// The whole reply, and then the connection stays open without an end of the body.
Script no_end(const Seen& r) { return broken_stream(reply_to(r), {repeat(chunk(": keep-alive\n\n"), 0.02)}); }

Script interleaved(const Seen& r) {  // W20
  if (!r.anthropic()) return fine(r);
  return stream({anthropic_start(11), anthropic_block(0, "thinking"), anthropic_thinking(0, "hm"), anthropic_block(1, "text"), anthropic_text(1, "a"), anthropic_thinking(0, "m"),
                 anthropic_text(1, "b"), anthropic_block_stop(0), anthropic_block_stop(1), anthropic_stop("end_turn", 7)});
}

Script unknown_types(const Seen& r) {  // W13
  Pieces out = reply_to(r);
  out.insert(out.begin() + 1, event("news", R"({"type":"news","text":"x"})"));
  return stream(out);
}

Script html(const Seen& r) { return once(r, whole(502, "<html><head><title>Bad gateway</title></head><body>x</body></html>", {{"content-type", "text/html"}})); }

Script zipped(const Seen& r) {
  static const char kGzip[] =
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x4a\x2d\x2a\xca\x2f\x52\xb2\xaa\x56\xca\x4d\x2d\x2e\x4e\x4c\x4f\x55\xb2\x52\x2a\xce\xc9\x2f\x57\x48\xc9\x2f\xcf\xd3\x51"
      "\x28\xc8\x49\x4d\x2c\x4e\x55\xd2\x51\x2a\xa9\x2c\x00\x49\x15\x25\x96\xa4\xc6\xe7\x64\xe6\x66\x96\xc4\x43\x34\xd6\xd6\x02\x00\xe6\x83\x67\x77\x43\x00\x00\x00";
  std::string body(kGzip, sizeof kGzip - 1);
  return r.header("accept-encoding").find("gzip") == std::string::npos ? whole(406, "{}") : whole(429, body, {{"content-type", "application/json"}, {"content-encoding", "gzip"}});
}

// A server that takes the plainest fields only. W22
Script strict(const Seen& r) {
  static const std::vector<std::string> kTaken{"model", "messages", "stream", "max_tokens", "temperature", "top_p"};
  auto body = parse_json(r.body);
  if (!body) return refuse(r, 400, "invalid_request_error");
  for (const auto& [key, value] : body->items())
    if (std::find(kTaken.begin(), kTaken.end(), key) == kTaken.end()) return whole(422, fmt::format(R"({{"detail":"Unexpected keys in the request: {{'{}'}}"}})", key));
  return fine(r);
}

// Sends back all that it was sent, in every place where an answer has room.
Script echo(const Seen& r) {
  std::string sent;
  for (const auto& [name, value] : r.headers) sent += name + ": " + value + " ; ";
  Headers more{{"content-type", "application/json"}, {"x-request-id", r.header("authorization") + r.header("x-api-key")}, {"set-cookie", "k=" + r.header("authorization")}};
  std::string quoted = dump_json(Json(sent));
  return whole(400, fmt::format(R"({{"error":{{"message":{},"type":{}}}}})", quoted, quoted), more);
}

Script echo_in_reply(const Seen& r) {
  std::string key = r.header(r.anthropic() ? "x-api-key" : "authorization");
  Pieces out = r.anthropic() ? Pieces{anthropic_start(11), anthropic_block(0, "text")} : Pieces{};
  for (char c : key) out.push_back(r.anthropic() ? anthropic_text(0, std::string(1, c)) : openai_delta(std::string(1, c)));
  out.push_back(r.anthropic() ? anthropic_stop("end_turn", 7) : openai_stop() + sse("[DONE]"));
  return stream(out);
}

// What every role of a method can use: a kernel (another one every time), a strategy, a score. In pieces of `size` bytes, all
// in one write.
Script kernel(const Seen& r, size_t size, double seconds) {
  std::string code = fmt::format("import torch\nimport triton\nimport triton.language as tl\n\n# variant {}\n@triton.jit\ndef kernel(x, y, n, BLOCK: tl.constexpr):\n", r.number);
  for (int k = 0; k < 40; k++) code += fmt::format("    v{} = tl.load(x + {} * BLOCK + tl.arange(0, BLOCK))\n", k, k);
  std::string text = dump_json({{"strategy", "Load one block, compute, store it."}, {"code", code}, {"score", r.number % 10}});
  std::string body;
  for (size_t at = 0; at < text.size(); at += size) {
    std::string_view piece = std::string_view(text).substr(at, size);
    body += r.anthropic() ? anthropic_text(0, piece) : openai_delta(piece);
  }
  body = r.anthropic() ? anthropic_start(900) + anthropic_block(0, "text") + body + anthropic_stop("end_turn", 700) : body + openai_stop() + openai_usage(900, 700) + sse("[DONE]");
  Script out = stream({body});
  if (seconds > 0) out.insert(out.begin(), rest(seconds));
  return out;
}

// Bytes of all texts in a request.
int text_bytes(const Json& json) {
  int out = 0;
  if (json.is_object() || json.is_array())
    for (const auto& [key, value] : json.items()) out += value.is_string() && (key == "content" || key == "text" || key == "system") ? int(value.get<std::string>().size()) : text_bytes(value);
  return out;
}

// Uses the most that anybody could use: a token a byte of the question, and all that the reply may have.
Script greedy(const Seen& r) {
  Json body = parse_json(r.body).value_or(Json::object());
  int in = text_bytes(body), out = int(get_int(body, "max_tokens").value_or(get_int(body, "max_completion_tokens").value_or(0)));
  if (!r.anthropic()) return stream({openai_delta(kText), openai_stop("length"), openai_usage(in, out), sse("[DONE]")});
  return stream({anthropic_start(in), anthropic_block(0, "text"), anthropic_text(0, kText), anthropic_block_stop(0), anthropic_stop("max_tokens", out)});
}

Script wait_asked(const Seen& r, const std::string& value) { return once(r, refuse(r, 429, "rate_limit_error", {{"retry-after", value}})); }

const std::map<std::string, Play>& table() {
  static const std::map<std::string, Play> kTable{
      {"ok", fine},
      {"slow", [](const Seen& r) { Script s{rest(2.0)}; for (const Step& step : fine(r)) s.push_back(step); return s; }},
      {"bytewise", bytewise},
      {"cut-letter", cut_letter},
      {"crlf", [](const Seen& r) { return stream({with_ends(joined(reply_to(r)), "\r\n")}); }},
      {"cr", [](const Seen& r) { return stream({with_ends(joined(reply_to(r)), "\r")}); }},
      {"bom", [](const Seen& r) { return stream({"\xEF\xBB\xBF" + joined(reply_to(r))}); }},
      {"comments", comments},
      {"unknown-types", unknown_types},
      {"interleaved", interleaved},
      {"blank-lines", [](const Seen& r) { return whole(200, "\n\n\n" + (r.anthropic() ? anthropic_json(kText) : openai_json(kText))); }},
      {"no-done", [](const Seen& r) { Pieces p = reply_to(r); if (!r.anthropic()) p.pop_back(); return stream(p); }},
      {"cut", [](const Seen& r) { return once(r, cut_before_end(r)); }},
      {"always-cut", cut_before_end},
      {"reset", [](const Seen& r) { return once(r, reset_in_stream(r)); }},
      {"reset-at-once", [](const Seen& r) { return once(r, {reset()}); }},
      {"no-end", no_end},
      {"stands-still", stands_still},
      {"never-begins", never_begins},
      {"silent", [](const Seen&) { return Script{rest(600)}; }},
      {"error-in-stream", [](const Seen& r) { return once(r, error_in_stream(r)); }},
      {"error-string", [](const Seen& r) { return r.anthropic() ? error_in_stream(r) : stream({sse(R"({"error":"out of memory"})")}); }},
      {"html", html},
      {"empty", [](const Seen& r) { return once(r, whole(500, "", {})); }},
      {"zipped", zipped},
      {"overloaded", [](const Seen& r) { return once(r, refuse(r, r.anthropic() ? 529 : 503, "overloaded_error")); }},
      {"always-overloaded", [](const Seen& r) { return refuse(r, 529, "overloaded_error"); }},
      {"rate", [](const Seen& r) { return wait_asked(r, "0.2"); }},
      {"rate-huge", [](const Seen& r) { return wait_asked(r, "86400"); }},
      {"rate-negative", [](const Seen& r) { return wait_asked(r, "-5"); }},
      {"rate-past", [](const Seen& r) { return wait_asked(r, "Sun, 06 Nov 1994 08:49:37 GMT"); }},
      {"bad-key", [](const Seen& r) { return refuse(r, 401, "authentication_error"); }},
      {"no-money", [](const Seen& r) { return refuse(r, 402, "billing_error"); }},
      {"forbidden", [](const Seen& r) { return refuse(r, 403, "permission_error"); }},
      {"bad-request", [](const Seen& r) { return refuse(r, 400, "invalid_request_error"); }},
      {"conflict", [](const Seen& r) { return once(r, refuse(r, 409, "conflict_error")); }},
      {"timeout-408", [](const Seen& r) { return once(r, refuse(r, 408, "timeout_error")); }},
      {"redirect", [](const Seen& r) { return whole(307, "", {{"location", "/stolen/v1" + std::string(r.anthropic() ? "/messages" : "/chat/completions")}}); }},
      {"strict", strict},
      {"endless", [](const Seen&) { return broken_stream({openai_delta("x")}, {repeat(chunk(openai_delta(std::string(60000, 'x'))), 0)}); }},
      {"kernel", [](const Seen& r) { return kernel(r, 500, 0); }},
      {"kernel-tokens", [](const Seen& r) { return kernel(r, 4, 0); }},
      {"kernel-slow", [](const Seen& r) { return kernel(r, 500, 2.0); }},
      {"echo", echo},
      {"greedy", greedy},
      {"echo-in-reply", echo_in_reply},
  };
  return kTable;
}

}  // namespace

Script play(const Seen& request) {
  auto at = table().find(request.scenario());
  if (auto hostile = hostile_scenarios().find(request.scenario()); hostile != hostile_scenarios().end()) return hostile->second(request);
  if (at == table().end()) return whole(404, error_body(request, "not_found_error", "no such scenario"));
  return at->second(request);
}

std::vector<std::string> scenario_names() {
  std::vector<std::string> out;
  for (const auto& [name, function] : table()) out.push_back(name);
  for (const auto& [name, function] : hostile_scenarios()) out.push_back(name);
  return out;
}

}  // namespace kbx::llm::faults
