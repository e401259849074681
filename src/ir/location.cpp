// Reader of location text: unknown | #alias | "file":line:col | "name"(loc) | callsite(loc at loc) | fused[loc, ..].
#include "ir/location.h"

#include <vector>

#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

constexpr int kMaxDepth = 64, kMaxSteps = 512;

class FrameReader {
 public:
  explicit FrameReader(const std::unordered_map<std::string_view, std::string_view>& aliases) : aliases_(aliases) {}

  // Appends the frames of the location at the front of `text`, innermost first, and drops that location from it.
  void read(std::string_view& text, int depth) {
    if (depth > kMaxDepth || ++steps_ > kMaxSteps) return give_up(text);
    text = strip(text);
    if (text.starts_with('#')) return alias(text, depth);
    if (text.starts_with('"')) return quoted(text, depth);
    if (text.starts_with("callsite(")) {
      text.remove_prefix(9);
      read(text, depth + 1);
      text = strip(text);
      if (!text.starts_with("at")) return give_up(text);
      text.remove_prefix(2);
      read(text, depth + 1);
      return close(text, ')');
    }
    if (text.starts_with("fused")) {
      size_t open = text.find('[');
      if (open == text.npos) return give_up(text);
      text.remove_prefix(open + 1);
      read(text, depth + 1);  // the first of them stands for all
      size_t end = text.find(']');
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      return;
    }
    if (text.starts_with("unknown")) text.remove_prefix(7);
  }
  const std::vector<SourceLine>& frames() const { return frames_; }

 private:
  void give_up(std::string_view& text) { text = {}; }
  void close(std::string_view& text, char c) {
    text = strip(text);
    if (text.starts_with(c)) text.remove_prefix(1);
  }
  void alias(std::string_view& text, int depth) {
    size_t end = 1;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) end++;
    auto found = aliases_.find(text.substr(0, end));
    text.remove_prefix(end);
    if (found == aliases_.end()) return;
    std::string_view target = found->second;
    if (target.starts_with("loc(")) target.remove_prefix(4);
    read(target, depth + 1);
  }
  void quoted(std::string_view& text, int depth) {
    size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return give_up(text);
    std::string_view name = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (text.starts_with(':')) {
      text.remove_prefix(1);
      uint64_t line = 0;
      text.remove_prefix(scan_unsigned(text, line));
      while (!text.empty() && (text[0] == ':' || is_digit(text[0]))) text.remove_prefix(1);
      if (line > 0 && line <= 0xffffffffu) frames_.push_back({name, static_cast<uint32_t>(line)});
    } else if (text.starts_with('(')) {
      text.remove_prefix(1);
      read(text, depth + 1);
      close(text, ')');
    }
  }

  const std::unordered_map<std::string_view, std::string_view>& aliases_;
  std::vector<SourceLine> frames_;
  int steps_ = 0;
};

}  // namespace

std::string SourceLine::text() const {
  if (file.empty()) return {};
  size_t slash = file.rfind('/');
  return std::string(slash == file.npos ? file : file.substr(slash + 1)) + ":" + std::to_string(line);
}

SourceLine LocationTable::find(std::string_view loc) const {
  FrameReader reader(aliases_);
  reader.read(loc, 0);
  for (const auto& frame : reader.frames())
    if (frame.file.find("triton/language/") == frame.file.npos) return frame;
  return reader.frames().empty() ? SourceLine{} : reader.frames().back();
}

}  // namespace kbx::ir
