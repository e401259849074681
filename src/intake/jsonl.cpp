// Cutting bytes into lines, and lines into rows or problems.
#include "intake/jsonl.h"

#include <limits>
#include <set>
#include <utility>

#include "base/json.h"
#include "base/text.h"

namespace kbx::intake {
namespace {

constexpr const char* kReplyKeys[] = {"predict", "code", "response"};

// The parser keeps the last of two equal keys; which of them the author meant nobody knows. The text is valid JSON.
std::string duplicate_key(std::string_view text) {
  std::set<std::string> seen;
  int depth = 0;
  bool expects_key = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (c == '{' || c == '[')
      expects_key = ++depth == 1;
    else if (c == '}' || c == ']')
      depth--;
    else if (c == ',')
      expects_key = depth == 1;
    if (c != '"') continue;
    size_t begin = i++;
    while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
    if (i >= text.size()) break;
    if (!expects_key) continue;
    expects_key = false;
    auto key = parse_json(text.substr(begin, i + 1 - begin));
    if (key && !seen.insert(key->get<std::string>()).second) return key->get<std::string>();
  }
  return {};
}

// Reads one text member; false and a reason when it has another type.
bool text_member(const Json& object, const char* key, std::string& out, std::string& reason) {
  const Json& value = get(object, key);
  if (value.is_null()) return true;
  if (!value.is_string()) {
    reason = "\"" + std::string(key) + "\" is " + value.type_name() + ", not a string";
    return false;
  }
  out = value.get<std::string>();
  return true;
}

bool read_row(const Json& object, JsonlRow& row, std::string& reason) {
  if (!object.is_object()) return reason = std::string("a line must hold an object, not ") + object.type_name(), false;
  std::string file;
  if (!text_member(object, "task", row.task, reason) || !text_member(object, "file", file, reason)) return false;
  if (row.task.empty()) row.task = std::move(file);
  const char* key = nullptr;
  for (const char* k : kReplyKeys)
    if (!key && object.contains(k)) key = k;
  if (!key) return reason = "no \"predict\" (nor \"code\" nor \"response\")", false;
  if (!text_member(object, key, row.reply, reason) || !text_member(object, "entry", row.entry, reason)) return false;
  if (const Json& id = get(object, "id"); id.is_number_integer())
    row.id = dump_json(id);
  else if (!text_member(object, "id", row.id, reason))
    return false;
  if (const Json& sample = get(object, "sample"); !sample.is_null()) {
    auto number = get_int(object, "sample");
    if (!number || *number < 0 || *number > std::numeric_limits<int>::max())
      return reason = "\"sample\" is not a number >= 0", false;
    row.sample = int(*number);
  }
  return true;
}

bool parse_line(std::string_view line, JsonlRow& row, std::string& reason) {
  if (line.find('\0') != line.npos) return reason = "a NUL byte", false;  // the parser would take it for the end
  if (clean_utf8(line) != line) return reason = "invalid UTF-8", false;
  auto object = parse_json(line);
  if (!object) return reason = object.error().message, false;
  if (object->is_object())
    if (auto key = duplicate_key(line); !key.empty()) return reason = "the key \"" + key + "\" stands twice", false;
  return read_row(*object, row, reason);
}

}  // namespace

JsonlReader::JsonlReader(Sink sink, size_t most_line_bytes) : sink_(std::move(sink)), most_(most_line_bytes) {}

void JsonlReader::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    auto part = bytes.substr(0, end);
    if (!skipping_ && line_.size() + part.size() > most_) {
      skipping_ = true;
      sink_.problem({number_, "longer than " + std::to_string(most_) + " bytes"});
      std::string().swap(line_);
    }
    if (!skipping_) line_ += part;
    if (end == bytes.npos) return;
    line_done();
    bytes.remove_prefix(end + 1);
  }
}

void JsonlReader::finish() { line_done(); }

void JsonlReader::line_done() {
  size_t number = number_++;
  std::string line;
  line.swap(line_);
  if (std::exchange(skipping_, false)) return;
  std::string_view text = line;
  if (number == 1 && starts_with(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  if (trim(text).empty()) return;
  JsonlRow row{.line = number};
  std::string reason;
  if (parse_line(text, row, reason))
    sink_.row(std::move(row));
  else
    sink_.problem({number, std::move(reason)});
}

bool looks_like_jsonl(std::string_view text) {
  if (starts_with(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || text[begin] != '{') return false;
  text.remove_prefix(begin);
  auto object = parse_json(text.substr(0, text.find('\n')));
  if (!object || !object->is_object()) return false;
  bool reply = false;
  for (const char* key : kReplyKeys) reply |= object->contains(key);
  // {"strategy": ..., "code": ...} is one reply: a line of candidates says what it is for, or uses our own word.
  return reply && (object->contains("file") || object->contains("task") || object->contains("predict"));
}

}  // namespace kbx::intake
