// Rules that are a table of names: matching and reporting.
#include "lint/name_rule.h"

namespace kbx::lint {

bool matches(std::string_view pattern, std::string_view name) {
  bool below = pattern.size() > 2 && pattern.substr(pattern.size() - 2) == ".*";
  if (below) pattern.remove_suffix(2);
  if (name.substr(0, pattern.size()) != pattern) return false;
  return name.size() == pattern.size() ? !below : name[pattern.size()] == '.';
}

const NamePattern* best_match(std::span<const NamePattern> table, std::string_view name) {
  const NamePattern* best = nullptr;
  for (const NamePattern& p : table)
    if (matches(p.name, name) && (!best || p.name.size() > best->name.size())) best = &p;
  return best;
}

void check_names(const Context& context, Report& report, std::span<const NamePattern> table) {
  std::vector<bool> imported(table.size());
  for (const Reference& r : context.references) {
    if (r.how == Reference::store || r.how == Reference::remove) continue;
    const NamePattern* worst = nullptr;
    const std::string* named = nullptr;
    for (const std::string& name : r.names) {
      const NamePattern* p = best_match(table, name);
      if (!p || !p->severity || (worst && *worst->severity >= *p->severity)) continue;
      worst = p;
      named = &name;
    }
    if (!worst || (r.how == Reference::use && imported[size_t(worst - table.data())])) continue;
    report.add(r.node, *named + " " + std::string(worst->what), worst->severity);
    bool whole_module = worst->name.find('.') == std::string_view::npos;
    if (whole_module && r.how == Reference::import && context.reach.runs(r.node))
      imported[size_t(worst - table.data())] = true;
  }
}

}  // namespace kbx::lint
