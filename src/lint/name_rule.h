// Rules that are a table of names.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "lint/rule.h"

namespace kbx::lint {

// `name` matches itself and everything below it ("os.path" matches "os.path.join"); "gc.*" matches what is below only.
// The longest match decides. Without a severity the name is allowed. The message is the name and `what`:
// "os.system starts a process".
struct NamePattern {
  std::string_view name;
  std::optional<Severity> severity;
  std::string_view what;
};

bool matches(std::string_view pattern, std::string_view name);
const NamePattern* best_match(std::span<const NamePattern> table, std::string_view name);
// Reports each reference (imports and uses; stores are the patching rule's) with the worst of its possible names. Where
// the import of a whole module has been reported, its uses are not.
void check_names(const Context& context, Report& report, std::span<const NamePattern> table);

}  // namespace kbx::lint
