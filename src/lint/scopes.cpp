// Scopes: where scopes begin and end, the main guard, and lookup.
#include "lint/scopes.h"

#include <algorithm>

namespace kbx::lint {
namespace {

// Python refuses deeper nesting of blocks; only hostile lambdas come here.
constexpr int kMaxScopeDepth = 256;

bool opens_scope(std::string_view kind) {
  return kind == "function_definition" || kind == "class_definition" || kind == "lambda" ||
         kind == "list_comprehension" || kind == "set_comprehension" || kind == "dictionary_comprehension" ||
         kind == "generator_expression";
}

}  // namespace

Scopes::Scopes(const Source& source) : source_(source), scopes_(1) {
  size_t n = source.size();
  scope_.assign(n, 0);
  inner_.assign(n, 0);
  outer_function_.assign(n, kNoNode);
  dead_.assign(n, false);
  bound_.assign(n, false);
  mark_dead();
  open_scopes();
  mark_functions();
  for (NodeId id = 0; id < n; id++)
    if (!dead_[id]) collect(id);
}

void Scopes::mark_dead() {
  for (NodeId id = 0; id < source_.size(); id++) {
    std::string_view kind = source_.kind(id);
    if (kind == "function_definition" || kind == "class_definition") {
      id = source_.at(id).end - 1;  // a guard counts at module level only
      continue;
    }
    if ((kind != "if_statement" && kind != "elif_clause") || !is_main_guard(id)) continue;
    NodeId block = source_.child(id, "consequence");
    if (block == kNoNode) continue;
    std::fill(dead_.begin() + block, dead_.begin() + source_.at(block).end, true);
  }
  // A candidate that binds __name__ itself decides what the guard does.
  for (NodeId id = 0; id < source_.size(); id++)
    if (source_.kind(id) == "assignment" && source_.text(source_.first(id)) == "__name__")
      dead_.assign(dead_.size(), false);
}

bool Scopes::is_main_guard(NodeId if_or_elif) const {
  NodeId test = source_.bare(source_.child(if_or_elif, "condition"));
  // A conjunction is at most as often true as each of its parts.
  while (test != kNoNode && source_.kind(test) == "boolean_operator") {
    NodeId op = source_.child(test, "operator");
    if (op == kNoNode || source_.text(op) != "and") return false;
    NodeId left = source_.bare(source_.child(test, "left"));
    test = left != kNoNode && source_.kind(left) != "comparison_operator" && source_.kind(left) != "boolean_operator"
               ? source_.bare(source_.child(test, "right"))
               : left;
  }
  if (test == kNoNode || source_.kind(test) != "comparison_operator") return false;
  std::vector<NodeId> parts = source_.children(test);
  if (parts.size() != 3 || source_.text(parts[1]) != "==") return false;
  std::string_view a = source_.text(parts[0]), b = source_.text(parts[2]);
  auto is_main = [](std::string_view t) { return t == "\"__main__\"" || t == "'__main__'"; };
  return (a == "__name__" && is_main(b)) || (b == "__name__" && is_main(a));
}

uint32_t Scopes::scope_for(NodeId id) const {
  NodeId parent = source_.parent(id);
  if (parent == kNoNode) return 0;
  std::string_view kind = source_.kind(parent), field = source_.at(id).field;
  // Decorators, bases, defaults and annotations are evaluated outside the scope that they belong to.
  if (kind == "function_definition" || kind == "class_definition")
    return field == "body" || field == "parameters" ? inner_[parent] : scope_[parent];
  bool outside = field == "value" || field == "type";
  if (outside && (kind == "default_parameter" || kind == "typed_default_parameter" || kind == "typed_parameter"))
    return scopes_[scope_[parent]].parent;
  return inner_[parent];
}

void Scopes::open_scopes() {
  for (NodeId id = 0; id < source_.size(); id++) {
    std::string_view kind = source_.kind(id);
    scope_[id] = inner_[id] = scope_for(id);
    if (!opens_scope(kind)) continue;
    Scope scope;
    scope.parent = scope_[id];
    scope.is_class = kind == "class_definition";
    scope.is_comprehension = !scope.is_class && kind != "function_definition" && kind != "lambda";
    inner_[id] = uint32_t(scopes_.size());
    scopes_.push_back(std::move(scope));
  }
}

void Scopes::mark_functions() {
  for (NodeId id = 0; id < source_.size(); id++) {
    NodeId parent = source_.parent(id);
    if (parent == kNoNode) continue;
    outer_function_[id] = outer_function_[parent];
    bool body = source_.kind(parent) == "function_definition" && source_.at(id).field == "body";
    if (!body || outer_function_[id] != kNoNode) continue;
    NodeId unit = parent;  // up to the class at module level that holds this method
    for (NodeId up = parent; up != kNoNode; up = source_.parent(up))
      if (source_.kind(up) == "class_definition") unit = up;
    outer_function_[id] = unit;
  }
}

SymbolId Scopes::module_symbol(std::string_view name) const {
  auto found = scopes_[0].names.find(name);
  return found == scopes_[0].names.end() ? kNoSymbol : found->second;
}

SymbolId Scopes::lookup(NodeId node, std::string_view name) const {
  uint32_t scope = scope_[node];
  for (int depth = 0; depth < kMaxScopeDepth; depth++) {
    const Scope& s = scopes_[scope];
    if (s.globals.count(name)) return module_symbol(name);
    auto found = s.names.find(name);
    if (found != s.names.end() && (depth == 0 || !s.is_class)) return found->second;
    if (scope == 0) return kNoSymbol;
    scope = s.parent;
  }
  return kNoSymbol;
}

bool Scopes::is_use(NodeId id) const {
  if (source_.kind(id) != "identifier" || bound_[id]) return false;
  NodeId parent = source_.parent(id);
  if (parent == kNoNode) return false;
  std::string_view kind = source_.kind(parent), field = source_.at(id).field;
  if (kind == "attribute") return field == "object";
  if (kind == "keyword_argument") return field == "value";
  return kind != "dotted_name" && kind != "aliased_import" && kind != "global_statement" &&
         kind != "nonlocal_statement" && kind != "keyword_pattern" && kind != "splat_pattern";
}

bool Scopes::is_outer(NodeId id) const {
  SymbolId symbol = lookup(id, source_.text(id));
  if (symbol == kNoSymbol) return false;
  uint32_t scope = scope_[id];
  for (int i = 0; scopes_[scope].is_comprehension && i < kMaxScopeDepth; i++) scope = scopes_[scope].parent;
  return symbols_[symbol].scope == 0 || (symbols_[symbol].scope != scope && symbols_[symbol].scope != scope_[id]);
}

void Scopes::bind_name(uint32_t scope, std::string_view name, Binding binding) {
  if (scopes_[scope].globals.count(name)) scope = 0;
  for (int depth = 0; scopes_[scope].nonlocals.count(name) && depth < kMaxScopeDepth; depth++)
    scope = scopes_[scope].parent;
  auto [entry, fresh] = scopes_[scope].names.try_emplace(name, SymbolId(symbols_.size()));
  if (fresh) symbols_.push_back(Symbol{name, scope, {}});
  symbols_[entry->second].bindings.push_back(std::move(binding));
}

}  // namespace kbx::lint
