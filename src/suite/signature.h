// The text of an entry point's signature, as a task file states it:
//   name(a, b: Tensor, *size: int, k=1, opt: int | None = None) -> Tensor
// Annotations and defaults are any Python expression text; they are kept, not evaluated.
#pragma once
#include <string_view>

#include "base/result.h"
#include "model/task.h"

namespace kbx::suite {

// Accepts a leading "def " and a trailing ":". The error names the column (1-based) and what was expected there.
// Not accepted, because no call could be written for it: **kwargs. A "/" is accepted and changes nothing.
Result<Signature> parse_signature(std::string_view text);

// nullptr when the entry has no such parameter.
const Parameter* find_parameter(const Signature& signature, std::string_view name);

}  // namespace kbx::suite
