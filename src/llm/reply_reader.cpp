#include "llm/reply_reader.h"

#include <fmt/format.h>

#include "base/text.h"
#include "llm/api_error.h"
#include "llm/http_words.h"

namespace kbx::llm {
namespace {

constexpr size_t kMostRefusal = size_t(64) << 10, kMostJson = size_t(16) << 20, kMostReply = size_t(64) << 20, kMostWord = 200;
constexpr std::string_view kMark = "\xEF\xBB\xBF";

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

int64_t out_estimate(const Gathered& g) { return estimate_tokens(g.kept + g.other_bytes); }

ChatReply reply_of(Gathered&& g, int64_t in_estimate) {
  ChatReply r;
  r.usage = g.tokens.usage(in_estimate, out_estimate(g), !g.several);
  r.text = std::move(g.text);
  r.reasoning = std::move(g.reasoning);
  r.stop = g.stop;
  r.raw_stop = shown(g.raw_stop, kMostWord);
  r.model_returned = shown(g.model, kMostWord);
  r.fingerprint = shown(g.fingerprint, kMostWord);
  r.request_id = shown(g.id, kMostWord);
  return r;
}

}  // namespace

void BodyReader::headers(int status, const Headers& headers) {
  status_ = status;
  headers_ = headers;
  if (status < 200 || status > 299) form_ = Form::refusal;
}

void BodyReader::keep(std::string_view bytes, size_t most) {
  if (body_.size() + bytes.size() > most) too_long_ = true;
  body_ += bytes.substr(0, most - std::min(most, body_.size()));
}

// Takes off the blank lines of a queue and a byte order mark; the first other byte tells.
void BodyReader::find_form(std::string_view& bytes) {
  while (!bytes.empty()) {
    if (body_.size() < 3 && bytes[0] == kMark[body_.size()]) body_ += bytes[0];
    else if (!body_.empty() && body_.size() < 3) break;
    else if (!blank(bytes[0])) break;
    bytes.remove_prefix(1);
  }
  if (bytes.empty()) return;
  body_.clear();
  form_ = bytes[0] == '{' || bytes[0] == '[' ? Form::json : bytes[0] == '<' ? Form::refusal : Form::stream;
}

void BodyReader::feed(std::string_view bytes) {
  if (form_ == Form::unknown) find_form(bytes);
  if (bytes.empty()) return;
  if (form_ == Form::refusal) keep(bytes, kMostRefusal);
  else if (form_ == Form::json) {
    keep(bytes, kMostJson);
    so_far_.payloads++;
  } else if (!too_long_ && !parser_.overflow() && !so_far_.error) {  // nothing that follows could make it a reply
    take(parser_.feed(bytes));
  }
}

void BodyReader::take(std::vector<SseEvent> events) {
  for (SseEvent& e : events) {
    if (so_far_.error) return;
    std::string_view data = without_blanks(e.data);
    if (data == "[DONE]") {
      reading_->done_mark(so_far_);
      continue;
    }
    if (!reading_->knows(e.name) || data.empty()) continue;
    if (!reading_->piece(e.name, data, so_far_)) {
      auto json = parse_json(data);
      if (!json) {
        if (spoiled_.empty()) spoiled_ = json.error().message;
        continue;
      }
      reading_->event(e.name, *json, so_far_);
    }
    if (so_far_.kept > kMostReply) {
      too_long_ = true;
      return;
    }
  }
}

ApiError BodyReader::with_usage(ApiError error) const {
  bool worked = so_far_.payloads > 0 && form_ == Form::stream;
  if (worked) error.usage = so_far_.tokens.usage(in_estimate_, out_estimate(so_far_), false);
  return error;
}

void BodyReader::finish_json(bool whole) {
  auto json = parse_json(body_);
  if (json) return reading_->whole(*json, so_far_);
  so_far_.error = whole ? error_of_ours(ApiFault::protocol, status_, json.error().message + " in the answer: " + shown(body_, 200), true)
                        : error_of_ours(ApiFault::cut, status_, fmt::format("the answer was cut after {} bytes", body_.size()), true);
}

ChatResult BodyReader::finish(bool whole, double now) {
  if (status_ == 0) return error_of_ours(ApiFault::cut, 0, "the connection ended before an answer", true);
  if (form_ == Form::refusal) return error_of_answer(status_, headers_, body_, now);
  if (form_ == Form::unknown)
    return whole ? error_of_answer(status_, headers_, "", now) : error_of_ours(ApiFault::cut, status_, "the connection ended before the reply", true);
  if (form_ == Form::json && !too_long_) finish_json(whole);
  if (form_ == Form::stream) take(parser_.finish());
  reading_->assemble(so_far_);
  if (so_far_.error) {
    so_far_.error->retry_after = retry_after_of(headers_, now);
    return with_usage(*so_far_.error);
  }
  if (too_long_ || parser_.overflow()) return with_usage(error_of_ours(ApiFault::protocol, status_, "a reply of more than 64 MiB, or JSON or a line of more than 16 MiB", false));
  if (!spoiled_.empty()) return with_usage(error_of_ours(ApiFault::protocol, status_, "an event that is " + spoiled_, true));
  if (!so_far_.ended) {
    bool empty = so_far_.payloads == 0;
    return with_usage(error_of_ours(ApiFault::cut, status_, empty ? "the stream ended without a reply" : fmt::format("the stream ended in the middle of the reply, after {} bytes of it", so_far_.kept), true));
  }
  for (const char* name : {"request-id", "x-request-id"})
    if (const std::string* id = header(headers_, name)) so_far_.id = *id;
  return reply_of(std::move(so_far_), in_estimate_);
}

ChatResult result_of_json(Reading& reading, const Json& answer) {
  Gathered g;
  reading.whole(answer, g);
  if (!g.error) reading.assemble(g);
  if (g.error) return *g.error;
  return reply_of(std::move(g), 0);
}

}  // namespace kbx::llm
