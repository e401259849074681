// The table of rules, and its rendering for docs/lint.md.
#include "lint/rules.h"

#include "lint/lint.h"

namespace kbx::lint {

const std::vector<const Rule*>& all_rules() {
#define LINT_ADDRESS(id) &rules::id,
  static const std::vector<const Rule*> table = {LINT_RULES(LINT_ADDRESS)};
#undef LINT_ADDRESS
  return table;
}

std::string rules_markdown() {
  std::string out = "| rule | severity | finds | why | honest look-alikes |\n|---|---|---|---|---|\n";
  for (const Rule* r : all_rules()) {
    out += "| `" + std::string(r->id) + "` | " + std::string(to_text(r->severity));
    for (std::string_view cell : {r->summary, r->why, r->honest}) out += " | " + std::string(cell);
    out += " |\n";
  }
  return out;
}

}  // namespace kbx::lint
