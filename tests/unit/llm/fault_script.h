// Script: what the fault server does with one request, byte by byte; and the pieces that scripts are made of.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "llm/dialect.h"

namespace kbx::llm::faults {

struct Step {
  enum class Kind : unsigned char { send, rest, repeat, close, reset } kind = Kind::send;
  std::string bytes;   // send, repeat
  double seconds = 0;  // rest; repeat: between two
};
// send: as they are, in one write. repeat: until the peer is gone. close: FIN. reset: RST. A script that ends with neither
// leaves the connection open for the next request.
using Script = std::vector<Step>;

Step say(std::string bytes);
Step rest(double seconds);
Step repeat(std::string bytes, double seconds);
Step close();
Step reset();

std::string head(int status, const Headers& headers = {});  // with the empty line
std::string chunk(std::string_view bytes);                  // of chunked transfer
inline const std::string kLastChunk = "0\r\n\r\n";

// An answer with its length.
Script whole(int status, const std::string& body, Headers headers = {{"content-type", "application/json"}});
// A stream (text/event-stream, chunked), each piece in a write and a chunk of its own.
Script stream(const std::vector<std::string>& pieces);
// The same without its last chunk, and what happens then.
Script broken_stream(const std::vector<std::string>& pieces, Script then);

// "data: {...}\n\n", and with "event: NAME\n" before it. (Not `data`: std::data would be found for a string.)
std::string sse(std::string_view json);
std::string event(std::string_view name, std::string_view json);

// Chunks of the OpenAI protocol, and events of Anthropic's.
std::string openai_delta(std::string_view text);
std::string openai_stop(std::string_view reason = "stop");
std::string openai_usage(int in, int out);
std::vector<std::string> openai_reply(std::string_view text);  // all of them, with [DONE]
std::string anthropic_start(int in);
std::string anthropic_block(int index, std::string_view type);
std::string anthropic_text(int index, std::string_view text);
std::string anthropic_thinking(int index, std::string_view text);
std::string anthropic_block_stop(int index);
std::string anthropic_stop(std::string_view reason, int out);  // message_delta and message_stop
std::vector<std::string> anthropic_reply(std::string_view text);
// The same replies of a server that was not asked to stream.
std::string openai_json(std::string_view text);
std::string anthropic_json(std::string_view text);

}  // namespace kbx::llm::faults
