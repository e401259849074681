// Replies that wrap the code in JSON: {"strategy": "...", "code": "..."}; strict, almost strict, or broken.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace kbx::intake {

struct JsonCode {
  std::string code;
  bool salvaged = false;  // not valid JSON: raw line ends, trailing comma, Python's triple quotes, cut
  bool cut = false;       // the string that holds the code never ends
};

// The string under "code" (else "kernel", "kernel_code", "triton_code", "solution", "implementation", "answer",
// "response") of an object that the text is or begins with; nullopt when there is no such thing.
std::optional<JsonCode> code_from_json(std::string_view text);

// The first object in a text that may have prose, fences or other braces around it; nullopt when none is valid JSON.
std::optional<Json> object_in(std::string_view text);
// The string under `key` of that object; of a broken one what can be read of it. nullopt: there is none.
std::optional<std::string> string_from_json(std::string_view text, std::string_view key);

}  // namespace kbx::intake
