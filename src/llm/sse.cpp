#include "llm/sse.h"

#include <algorithm>

namespace kbx::llm {

std::vector<SseEvent> SseParser::feed(std::string_view bytes) {
  std::vector<SseEvent> out;
  if (after_cr_ && !bytes.empty()) {  // the second half of a CRLF that was split
    if (bytes[0] == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
  }
  size_t lf = bytes.find('\n'), cr = bytes.find('\r');  // the next ones
  for (size_t at = 0; at < bytes.size();) {
    size_t end = std::min(lf, cr);
    if (end == bytes.npos) {
      add(bytes.substr(at));
      break;
    }
    std::string_view line = bytes.substr(at, end - at);  // most stand whole in one read: no copy
    if (!line_.empty() || line.size() > most_) {
      add(line);
      line = line_;
    }
    at = end + 1;
    after_cr_ = end == cr && at == bytes.size();
    if (end == cr && lf == at) at++;
    end_line(line, out);
    if (lf < at) lf = bytes.find('\n', at);
    if (cr < at) cr = bytes.find('\r', at);
  }
  return out;
}

std::vector<SseEvent> SseParser::finish() {
  std::vector<SseEvent> out;
  if (!line_.empty()) end_line(line_, out);
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

void SseParser::end_line(std::string_view line, std::vector<SseEvent>& out) {
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
