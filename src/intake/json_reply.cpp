// Three tries: the whole object, its first balanced braces, the string behind the key.
#include "intake/json_reply.h"

#include <charconv>
#include <system_error>

namespace kbx::intake {
namespace {

constexpr const char* kKeys[] = {"code",     "kernel",         "kernel_code", "triton_code",
                                 "solution", "implementation", "answer",      "response"};
constexpr int kMostObjects = 32;  // braces of code in prose: each is a try

std::optional<std::string> from_object(const Json& object) {
  for (const char* key : kKeys)
    if (auto code = get_string(object, key)) return code;
  return std::nullopt;
}

// Length of the object that begins at text[0] == '{': string-aware, so that braces inside strings do not count.
size_t balanced_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (in_string) {
      if (c == '\\')
        i++;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      depth++;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, unsigned code) {
  if (code < 0x80) {
    out += char(code);
  } else if (code < 0x800) {
    out += char(0xC0 | (code >> 6));
    out += char(0x80 | (code & 0x3F));
  } else {
    out += char(0xE0 | (code >> 12));
    out += char(0x80 | ((code >> 6) & 0x3F));
    out += char(0x80 | (code & 0x3F));
  }
}

// One escape at text[at] == '\\'; returns the byte behind it. Unknown escapes stay as they are.
size_t unescape(std::string_view text, size_t at, std::string& out) {
  if (at + 1 >= text.size()) return text.size();
  char c = text[at + 1];
  constexpr std::string_view from = "ntrbf\"\\/", to = "\n\t\r\b\f\"\\/";
  if (size_t k = from.find(c); k != from.npos) return out += to[k], at + 2;
  unsigned code = 0;
  if (c == 'u' && at + 6 <= text.size()) {
    auto [end, error] = std::from_chars(text.data() + at + 2, text.data() + at + 6, code, 16);
    if (error == std::errc() && end == text.data() + at + 6) return append_utf8(out, code), at + 6;
  }
  out += '\\';
  return at + 1;
}

// Does the quote at text[at] end a JSON string? What follows must be one: a comma before the next key, or the end.
bool ends_value(std::string_view text, size_t at) {
  size_t next = text.find_first_not_of(" \t\r\n", at + 1);
  if (next == text.npos) return true;
  if (text[next] == '}') {
    size_t behind = text.find_first_not_of(" \t\r\n`", next + 1);
    return behind == text.npos || text[behind] == ',' || text[behind] == '}' || text[behind] == ']' ||
           text.substr(at + 1, next - at - 1).find('\n') != text.npos;
  }
  if (text[next] != ',') return false;
  size_t key = text.find_first_not_of(" \t\r\n", next + 1);
  if (key == text.npos || text[key] == '}') return true;
  if (text[key] != '"') return false;
  size_t colon = text.find_first_of("\"\n", key + 1);
  if (colon == text.npos || text[colon] != '"') return false;
  colon = text.find_first_not_of(" \t\r\n", colon + 1);
  return colon != text.npos && text[colon] == ':';
}

// The string behind one key, as far as it goes.
std::optional<JsonCode> salvage(std::string_view text, std::string_view key) {
  std::string quoted = "\"" + std::string(key) + "\"";
  size_t at = text.find(quoted);
  if (at == text.npos) return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + quoted.size());
  if (at == text.npos || text[at] != ':') return std::nullopt;
  at = text.find_first_not_of(" \t\r\n", at + 1);
  if (at == text.npos || text[at] != '"') return std::nullopt;
  if (text.substr(at, 3) == "\"\"\"") {
    size_t end = text.find("\"\"\"", at + 3);
    return JsonCode{std::string(text.substr(at + 3, end == text.npos ? end : end - at - 3)), true, end == text.npos};
  }
  JsonCode out{{}, true, true};
  for (at++; at < text.size();) {
    if (text[at] == '"' && ends_value(text, at)) return out.cut = false, out;
    if (text[at] == '\\')
      at = unescape(text, at, out.code);
    else
      out.code += text[at++];
  }
  return out;
}

}  // namespace

std::optional<JsonCode> code_from_json(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || text[begin] != '{') return std::nullopt;
  text.remove_prefix(begin);
  size_t length = balanced_length(text);
  if (length != text.npos) {
    auto object = parse_json(text.substr(0, length));
    if (object) {
      auto code = from_object(*object);
      if (!code) return std::nullopt;
      return JsonCode{*code, false, false};
    }
  }
  for (const char* key : kKeys)
    if (auto code = salvage(text, key)) return code;
  return std::nullopt;
}

std::optional<Json> object_in(std::string_view text) {
  size_t at = text.find('{');
  for (int tries = 0; at != text.npos && tries < kMostObjects; tries++, at = text.find('{', at + 1)) {
    size_t length = balanced_length(text.substr(at));
    if (length == text.npos) continue;
    auto object = parse_json(text.substr(at, length));
    if (object && object->is_object()) return std::move(*object);
  }
  return std::nullopt;
}

std::optional<std::string> string_from_json(std::string_view text, std::string_view key) {
  if (auto object = object_in(text))
    if (auto value = get_string(*object, std::string(key).c_str())) return value;
  if (auto found = salvage(text, key)) return std::move(found->code);
  return std::nullopt;
}

}  // namespace kbx::intake
