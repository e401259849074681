// The value of Python string literals.
#pragma once
#include <optional>
#include <string>

#include "lint/source.h"

namespace kbx::lint {

// The text of a `string` node without interpolations; escapes are resolved, bytes literals read as text. Nothing when
// the node is an f-string with fields. Named escapes (\N{...}) stay as written.
std::optional<std::string> string_literal(const Source& source, NodeId string);

}  // namespace kbx::lint
