#include "base/json.h"

namespace kbx {
namespace {

constexpr int kMaxDepth = 256;

// Nesting outside strings; nlohmann's parser itself is iterative, its destructor and our walkers are not.
bool too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') i++;
      else if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if ((c == '[' || c == '{') && ++depth > kMaxDepth) return true;
    if (c == ']' || c == '}') depth--;
  }
  return false;
}

}  // namespace

Result<Json> parse_json(std::string_view text) {
  if (text.find('\0') != text.npos) return fail(Code::usage, "JSON with a NUL byte");  // nlohmann takes it for the end
  if (too_deep(text)) return fail(Code::usage, "JSON nested deeper than 256 levels");
  try {
    return Json::parse(text);
  } catch (const std::exception& e) {
    std::string what = e.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (auto at = what.find("] "); at != what.npos) what = what.substr(at + 2);
    return fail(Code::usage, "not valid JSON: " + what);
  }
}

std::string dump_json(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json& get(const Json& object, const char* key) {
  static const Json null;
  if (!object.is_object()) return null;
  auto it = object.find(key);
  return it == object.end() ? null : *it;
}

std::optional<std::string> get_string(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_string()) return std::nullopt;
  return v.get<std::string>();
}
std::optional<long long> get_int(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_number_integer()) return std::nullopt;
  return v.get<long long>();
}
std::optional<double> get_double(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_number()) return std::nullopt;
  return v.get<double>();
}
std::optional<bool> get_bool(const Json& object, const char* key) {
  const Json& v = get(object, key);
  if (!v.is_boolean()) return std::nullopt;
  return v.get<bool>();
}

}  // namespace kbx
