// find_references(): imports, names, attribute chains, and the lookups that come to the same.
#include "lint/references.h"

namespace kbx::lint {
namespace {

// Part of a longer chain, which is reported instead.
bool is_inner(const Source& source, NodeId id) {
  NodeId parent = source.parent(id);
  return parent != kNoNode && source.kind(parent) == "attribute" && source.at(id).field == "object";
}

Reference::How how_used(const Source& source, NodeId id) {
  NodeId top = id;
  for (int i = 0; i < 64; i++) {  // out of a, b = ... and (a)
    NodeId up = source.parent(top);
    if (up == kNoNode) break;
    std::string_view kind = source.kind(up), field = source.at(top).field;
    if (kind == "delete_statement") return Reference::remove;
    if ((kind == "assignment" || kind == "augmented_assignment" || kind == "for_statement" ||
         kind == "for_in_clause") &&
        field == "left")
      return Reference::store;
    if (kind == "as_pattern_target") return Reference::store;
    bool row = kind == "pattern_list" || kind == "tuple_pattern" || kind == "list_pattern" ||
               kind == "expression_list" || kind == "parenthesized_expression" || kind == "list_splat_pattern";
    if (!row) break;
    top = up;
  }
  return Reference::use;
}

void imports_of(const Source& source, NodeId id, std::vector<Reference>& out) {
  NodeId module = source.child(id, "module_name");
  std::string prefix = module == kNoNode ? "" : std::string(source.text(module)) + ".";
  for (NodeId c = source.first(id); c != kNoNode; c = source.next(c)) {
    if (source.kind(c) == "wildcard_import") out.push_back({c, {canonical(prefix + "*")}, Reference::import});
    if (source.at(c).field != "name") continue;
    NodeId name = source.kind(c) == "aliased_import" ? source.child(c, "name") : c;
    if (name == kNoNode) continue;
    out.push_back({c, {canonical(prefix + std::string(source.text(name)))}, Reference::import});
  }
}

}  // namespace

std::vector<Reference> find_references(const Source& source, const Scopes& scopes, Names& names) {
  std::vector<Reference> out;
  for (NodeId id = 0; id < source.size(); id++) {
    if (scopes.dead(id)) continue;
    std::string_view kind = source.kind(id);
    if (kind == "import_statement" || kind == "import_from_statement") {
      imports_of(source, id, out);
      continue;
    }
    bool candidate =
        kind == "identifier" ? scopes.is_use(id) : kind == "attribute" || kind == "call" || kind == "subscript";
    if (!candidate || is_inner(source, id)) continue;
    NameSet found = names.of(id);
    // f() of a known f is reported as f; only a call that finds a name (getattr, import_module) is one itself.
    if (kind == "call") std::erase_if(found, [](const std::string& n) { return n.back() == ')'; });
    if (found.empty()) continue;
    NodeId parent = source.parent(id);
    bool called = parent != kNoNode && source.kind(parent) == "call" && source.at(id).field == "function";
    out.push_back({id, std::move(found), how_used(source, id), called ? parent : kNoNode});
  }
  return out;
}

}  // namespace kbx::lint
