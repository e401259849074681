// Dialect: one protocol's bytes. encode() makes the request, a ReplyReader reads the answer as it comes. Pure: no
// socket, clock or environment.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "llm/provider.h"
#include "model/chat.h"

namespace kbx::llm {

using Headers = std::vector<std::pair<std::string, std::string>>;  // names in lower case

struct HttpRequest {
  std::string url;
  Headers headers;           // without the key
  std::string key_header;    // "x-api-key", "authorization"; value_prefix "Bearer "
  std::string key_prefix;
  std::string body;
  // What was asked for and is not in the body, or was changed: "top_k", "temperature 1.1 became 1". For a warning.
  std::vector<std::string> left_out;
};

// One answer. headers() first, then feed() in any pieces, then finish() once. Memory is bounded whatever comes.
class ReplyReader {
 public:
  virtual ~ReplyReader() = default;
  virtual void headers(int status, const Headers& headers) = 0;
  virtual void feed(std::string_view bytes) = 0;
  // Pieces of text or reasoning so far; comments, pings and keep-alives are none. For deadlines.
  virtual int64_t payloads() const = 0;
  // The body has ended. `whole`: the transport says it is complete; if not, what came decides: an error says what was
  // used (estimated). `now`: unix seconds, for a retry-after that is a date.
  virtual ChatResult finish(bool whole, double now) = 0;
  // After finish() gave an error: the text and reasoning that had come.
  virtual std::string said() const = 0;
};

class Dialect {
 public:
  virtual ~Dialect() = default;
  // Only fields that this dialect and this model take. Error (code usage): the request cannot be asked there.
  virtual Result<HttpRequest> encode(const ChatRequest& request, const Provider& provider, const Model& model) const = 0;
  // `request`: what was asked, for the estimate of tokens where the server counts none. Not kept.
  virtual std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const = 0;
  // The same request as a line of the vendor's batch file, and a line of its result file.
  virtual Result<Json> batch_line(const ChatRequest& request, const Provider& provider, const Model& model, const std::string& custom_id) const = 0;
  virtual ChatResult batch_result(const Json& line, std::string* custom_id) const = 0;
};

const Dialect& dialect_of(DialectName name);

}  // namespace kbx::llm
