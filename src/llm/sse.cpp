#include "llm/sse.h"

namespace kbx::llm {

std::vector<SseEvent> SseParser::feed(std::string_view bytes) {
  std::vector<SseEvent> out;
  if (after_cr_ && !bytes.empty()) {  // the second half of a CRLF that was split
    if (bytes[0] == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
  }
  while (!bytes.empty()) {
    size_t end = bytes.find_first_of("\r\n");
    if (end == bytes.npos) {
      add(bytes);
      break;
    }
    add(bytes.substr(0, end));
    bool cr = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (cr) {
      if (bytes.empty()) after_cr_ = true;
      else if (bytes[0] == '\n') bytes.remove_prefix(1);
    }
    end_line(out);
  }
  return out;
}

std::vector<SseEvent> SseParser::finish() {
  std::vector<SseEvent> out;
  if (!line_.empty()) end_line(out);
  dispatch(out);
  return out;
}

void SseParser::add(std::string_view piece) {
  if (line_.size() + piece.size() > most_) {
    overflow_ = true;
    piece = piece.substr(0, most_ - line_.size());
  }
  line_ += piece;
}

void SseParser::end_line(std::vector<SseEvent>& out) {
  std::string_view line = line_;
  if (first_line_ && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
  first_line_ = false;
  if (line.empty()) {
    dispatch(out);
  } else if (line[0] != ':') {
    size_t colon = line.find(':');
    std::string_view value = colon == line.npos ? std::string_view{} : line.substr(colon + 1);
    if (!value.empty() && value[0] == ' ') value.remove_prefix(1);
    field(line.substr(0, colon), value);
  }
  line_.clear();
}

void SseParser::field(std::string_view name, std::string_view value) {
  if (name == "event") {
    event_.name = value;
  } else if (name == "data") {
    if (event_.data.size() + value.size() + 1 > most_) {
      overflow_ = true;
      return;
    }
    if (has_data_) event_.data += '\n';
    event_.data += value;
    has_data_ = true;
  }
}

void SseParser::dispatch(std::vector<SseEvent>& out) {
  if (has_data_) out.push_back(std::move(event_));
  event_ = {};
  has_data_ = false;
}

}  // namespace kbx::llm
