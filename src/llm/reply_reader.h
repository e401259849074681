// BodyReader: what both protocols share in reading an answer: is it a refusal, one JSON object or a stream; did it end;
// what it became. What an event means is the Reading's.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "llm/dialect.h"
#include "llm/sse.h"
#include "llm/token_count.h"

namespace kbx::llm {

// What came so far.
struct Gathered {
  std::string text, reasoning;
  Stop stop = Stop::unknown;
  std::string raw_stop, model, fingerprint, id;
  TokenCount tokens;
  size_t other_bytes = 0;   // that the server counts as output and kbx does not keep: tools, further choices
  size_t kept = 0;          // bytes of text and reasoning, wherever they lie
  bool several = false;     // choices
  bool ended = false;       // the reply says of itself that it is whole
  std::optional<ApiError> error;
  int64_t payloads = 0;
};

// One protocol. Unknown names, types and fields are ignored.
class Reading {
 public:
  virtual ~Reading() = default;
  virtual bool knows(const std::string& event_name) const = 0;  // whether its data must be JSON
  virtual void event(const std::string& name, const Json& data, Gathered& so_far) = 0;
  // The same for the most usual event, a piece of text, from its bytes. False: it is another one, and nothing was taken.
  virtual bool piece(const std::string& name, std::string_view data, Gathered& so_far) = 0;
  virtual void done_mark(Gathered& so_far) = 0;  // data: [DONE]
  virtual void whole(const Json& answer, Gathered& so_far) = 0;  // a server that does not stream
  virtual void assemble(Gathered& so_far) = 0;   // once, at the end
};

class BodyReader : public ReplyReader {
 public:
  BodyReader(std::unique_ptr<Reading> reading, int64_t in_estimate) : reading_(std::move(reading)), in_estimate_(in_estimate) {}
  void headers(int status, const Headers& headers) override;
  void feed(std::string_view bytes) override;
  int64_t payloads() const override { return so_far_.payloads; }
  ChatResult finish(bool whole, double now) override;
  std::string said() const override { return so_far_.text + "\n" + so_far_.reasoning; }

 private:
  enum class Form : unsigned char { unknown, refusal, json, stream };
  void find_form(std::string_view& bytes);
  void keep(std::string_view bytes, size_t most);
  void take(std::vector<SseEvent> events);
  void finish_json(bool whole);
  ApiError with_usage(ApiError error) const;

  std::unique_ptr<Reading> reading_;
  int64_t in_estimate_;
  int status_ = 0;
  Headers headers_;
  Form form_ = Form::unknown;
  std::string body_;  // of a refusal or of one JSON object; before the form is known: a piece of a byte order mark
  bool too_long_ = false;
  std::string spoiled_;  // the first event whose data is not JSON
  SseParser parser_;
  Gathered so_far_;
};

// A reply from one JSON value, as batch files hold them.
ChatResult result_of_json(Reading& reading, const Json& answer);

}  // namespace kbx::llm
