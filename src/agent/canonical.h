// canonical_hash(): equal for Python texts that differ only in comments, docstrings, blank lines and spacing.
#pragma once
#include <string>
#include <string_view>

namespace kbx::agent {

std::string canonical_hash(std::string_view code);

}  // namespace kbx::agent
