// Json: nlohmann::json behind one name, with parsing that returns a Result instead of throwing.
// nlohmann's own accessors throw on a wrong type: read hostile JSON through the get_* functions below.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kbx {

using Json = nlohmann::ordered_json;

// The error names line and column. Depth is bounded (256): hostile input cannot exhaust the stack.
Result<Json> parse_json(std::string_view text);
// Compact, never throws: invalid UTF-8 is replaced.
std::string dump_json(const Json& value, int indent = -1);

// Readers for JSON that somebody else wrote: nullopt when absent or of another type.
std::optional<std::string> get_string(const Json& object, const char* key);
std::optional<long long> get_int(const Json& object, const char* key);
std::optional<double> get_double(const Json& object, const char* key);
std::optional<bool> get_bool(const Json& object, const char* key);
// A shared null when absent.
const Json& get(const Json& object, const char* key);

}  // namespace kbx
