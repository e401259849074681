// SseParser: bytes of a text/event-stream -> events (WHATWG HTML, section 9.2.6), in any pieces. Pure; memory is bounded.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::llm {

struct SseEvent {
  std::string name;  // of an `event:` line; "" = none stood there
  std::string data;  // lines joined by LF
};

class SseParser {
 public:
  // `most_bytes`: of one line and of one event's data; what is longer is dropped and overflow() says so.
  explicit SseParser(size_t most_bytes = size_t(16) << 20) : most_(most_bytes) {}
  // Lines may end with CR, LF or CRLF, split anywhere. A leading byte order mark is no text; comments, ids and
  // unknown fields are skipped; an event without data is none.
  std::vector<SseEvent> feed(std::string_view bytes);
  // The stream has ended: what stands there without its empty line is an event all the same, as servers that close
  // after their last line mean it (the standard drops it).
  std::vector<SseEvent> finish();
  bool overflow() const { return overflow_; }

 private:
  void end_line(std::string_view line, std::vector<SseEvent>& out);
  void field(std::string_view name, std::string_view value);
  void dispatch(std::vector<SseEvent>& out);
  void add(std::string_view piece);

  size_t most_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false, after_cr_ = false, first_line_ = true, overflow_ = false;
};

}  // namespace kbx::llm
