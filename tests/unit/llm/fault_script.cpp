// The pieces of scripts.
#include "fault_script.h"

#include <fmt/format.h>

#include "base/json.h"

namespace kbx::llm::faults {
namespace {

std::string quoted(std::string_view text) { return dump_json(Json(std::string(text))); }

}  // namespace

Step say(std::string bytes) { return {Step::Kind::send, std::move(bytes), 0}; }
Step rest(double seconds) { return {Step::Kind::rest, "", seconds}; }
Step repeat(std::string bytes, double seconds) { return {Step::Kind::repeat, std::move(bytes), seconds}; }
Step close() { return {Step::Kind::close, "", 0}; }
Step reset() { return {Step::Kind::reset, "", 0}; }

std::string head(int status, const Headers& headers) {
  std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, status < 300 ? "OK" : "Said");
  for (const auto& [name, value] : headers) out += fmt::format("{}: {}\r\n", name, value);
  return out + "\r\n";
}

std::string chunk(std::string_view bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes); }

Script whole(int status, const std::string& body, Headers headers) {
  headers.emplace_back("content-length", std::to_string(body.size()));
  return {say(head(status, headers) + body)};
}

Script broken_stream(const std::vector<std::string>& pieces, Script then) {
  Script out{say(head(200, {{"content-type", "text/event-stream"}, {"transfer-encoding", "chunked"}, {"request-id", "req_1"}, {"x-request-id", "req_1"}}))};
  for (const std::string& piece : pieces) out.push_back(say(chunk(piece)));
  out.insert(out.end(), then.begin(), then.end());
  return out;
}

Script stream(const std::vector<std::string>& pieces) { return broken_stream(pieces, {say(kLastChunk)}); }

std::string sse(std::string_view json) { return fmt::format("data: {}\n\n", json); }
std::string event(std::string_view name, std::string_view json) { return fmt::format("event: {}\ndata: {}\n\n", name, json); }

namespace {
std::string openai_chunk(std::string_view choices, std::string_view usage) {
  return sse(fmt::format(R"({{"id":"c-1","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{}],"usage":{}}})", choices, usage));
}
}  // namespace

std::string openai_delta(std::string_view text) {
  return openai_chunk(fmt::format(R"({{"index":0,"delta":{{"content":{}}},"finish_reason":null}})", quoted(text)), "null");
}
std::string openai_stop(std::string_view reason) { return openai_chunk(fmt::format(R"({{"index":0,"delta":{{}},"finish_reason":"{}"}})", reason), "null"); }
std::string openai_usage(int in, int out) {
  return openai_chunk("", fmt::format(R"({{"prompt_tokens":{},"completion_tokens":{},"total_tokens":{}}})", in, out, in + out));
}
std::vector<std::string> openai_reply(std::string_view text) {
  return {openai_delta(text), openai_stop(), openai_usage(11, 7), sse("[DONE]")};
}

std::string anthropic_start(int in) {
  return event("message_start", fmt::format(R"({{"type":"message_start","message":{{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{{"input_tokens":{},"output_tokens":1}}}}}})", in));
}
std::string anthropic_block(int index, std::string_view type) {
  std::string_view rest = type == "text" ? R"("text":"")" : R"("thinking":"","signature":"")";
  return event("content_block_start", fmt::format(R"({{"type":"content_block_start","index":{},"content_block":{{"type":"{}",{}}}}})", index, type, rest));
}
std::string anthropic_text(int index, std::string_view text) {
  return event("content_block_delta", fmt::format(R"({{"type":"content_block_delta","index":{},"delta":{{"type":"text_delta","text":{}}}}})", index, quoted(text)));
}
std::string anthropic_thinking(int index, std::string_view text) {
  return event("content_block_delta", fmt::format(R"({{"type":"content_block_delta","index":{},"delta":{{"type":"thinking_delta","thinking":{}}}}})", index, quoted(text)));
}
std::string anthropic_block_stop(int index) { return event("content_block_stop", fmt::format(R"({{"type":"content_block_stop","index":{}}})", index)); }
std::string anthropic_stop(std::string_view reason, int out) {
  return event("message_delta", fmt::format(R"({{"type":"message_delta","delta":{{"stop_reason":"{}","stop_sequence":null}},"usage":{{"output_tokens":{}}}}})", reason, out)) +
         event("message_stop", R"({"type":"message_stop"})");
}
std::vector<std::string> anthropic_reply(std::string_view text) {
  return {anthropic_start(11), anthropic_block(0, "text"), event("ping", R"({"type":"ping"})"), anthropic_text(0, text), anthropic_block_stop(0), anthropic_stop("end_turn", 7)};
}

std::string openai_json(std::string_view text) {
  return fmt::format(R"({{"id":"c-1","object":"chat.completion","created":1,"model":"m-1","choices":[{{"index":0,"message":{{"role":"assistant","content":{}}},"finish_reason":"stop"}}],"usage":{{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}}})", quoted(text));
}
std::string anthropic_json(std::string_view text) {
  return fmt::format(R"({{"id":"msg_1","type":"message","role":"assistant","model":"m-1","content":[{{"type":"text","text":{}}}],"stop_reason":"end_turn","stop_sequence":null,"usage":{{"input_tokens":11,"output_tokens":7}}}})", quoted(text));
}

}  // namespace kbx::llm::faults
