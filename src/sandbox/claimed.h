// Single fields of what a worker said: wrong types and numbers that cannot be are as good as absent.
#pragma once
#include <limits>
#include <string>

#include "base/json.h"
#include "base/text.h"

namespace kbx::sandbox {

// Cut to `most` bytes of valid UTF-8; "" when it is no text.
inline std::string claimed_text(const Json& j, const char* key, size_t most) { return clean_utf8(get_string(j, key).value_or(""), most); }
// 0 when it is no number, negative or beyond an int.
inline int claimed_int(const Json& j, const char* key) {
  int64_t v = get_int(j, key).value_or(0);
  return v < 0 || v > std::numeric_limits<int>::max() ? 0 : int(v);
}

}  // namespace kbx::sandbox
