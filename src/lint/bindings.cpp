// Scopes: what binds a name: imports, assignments, definitions, parameters, loops, with, except, match.
#include "lint/scopes.h"

namespace kbx::lint {

void Scopes::bind(NodeId identifier, Binding binding) {
  bound_[identifier] = true;
  uint32_t scope = scope_[identifier];
  // A walrus inside a comprehension binds in the function around it.
  NodeId parent = source_.parent(identifier);
  if (parent != kNoNode && source_.kind(parent) == "named_expression")
    for (int i = 0; scopes_[scope].is_comprehension && i < 256; i++) scope = scopes_[scope].parent;
  binding.at = identifier;
  bind_name(scope, source_.text(identifier), std::move(binding));
}

// Pairs the parts of a target with the parts of the value where both are written out.
void Scopes::bind_target(NodeId target, NodeId value, bool elements) {
  struct Pair {
    NodeId target, value;
    bool elements;
  };
  auto is_row = [](std::string_view k) {
    return k == "tuple" || k == "list" || k == "expression_list" || k == "pattern_list" || k == "tuple_pattern" ||
           k == "list_pattern" || k == "set";
  };
  std::vector<Pair> todo{{target, value, elements}};
  while (!todo.empty()) {
    Pair pair = todo.back();
    todo.pop_back();
    NodeId to = source_.bare(pair.target), from = pair.value == kNoNode ? kNoNode : source_.bare(pair.value);
    if (to == kNoNode) continue;
    std::string_view kind = source_.kind(to);
    if (kind == "identifier") {
      Binding::Kind how = from == kNoNode ? Binding::unknown : pair.elements ? Binding::element : Binding::value;
      bind(to, Binding{how, kNoNode, from, {}});
    } else if (is_row(kind)) {
      std::vector<NodeId> parts = source_.children(to), values;
      if (from != kNoNode && !pair.elements && is_row(source_.kind(from))) values = source_.children(from);
      bool paired = values.size() == parts.size();
      for (size_t i = 0; i < parts.size(); i++) todo.push_back({parts[i], paired ? values[i] : kNoNode, false});
    } else if (kind == "list_splat_pattern" || kind == "as_pattern_target" || kind == "list_splat") {
      todo.push_back({source_.first(to), kNoNode, false});
      if (kind == "as_pattern_target") todo.back().value = from;
    }
  }
}

void Scopes::collect_import(NodeId id) {
  for (NodeId c = source_.first(id); c != kNoNode; c = source_.next(c)) {
    if (source_.kind(c) == "aliased_import") {
      NodeId alias = source_.child(c, "alias"), name = source_.child(c, "name");
      if (alias != kNoNode && name != kNoNode)
        bind(alias, Binding{Binding::module, kNoNode, c, std::string(source_.text(name))});
    } else if (source_.kind(c) == "dotted_name") {
      NodeId root = source_.first(c);  // import a.b.c binds a
      if (root != kNoNode) bind(root, Binding{Binding::module, kNoNode, c, std::string(source_.text(root))});
    }
  }
}

void Scopes::collect_from(NodeId id) {
  NodeId from = source_.child(id, "module_name");
  if (from == kNoNode) return;
  std::string module(source_.text(from));
  for (NodeId c = source_.first(id); c != kNoNode; c = source_.next(c)) {
    std::string_view kind = source_.kind(c);
    if (kind == "wildcard_import") stars_.push_back(module);
    if (source_.at(c).field != "name") continue;
    NodeId name = kind == "aliased_import" ? source_.child(c, "name") : c;
    NodeId as = kind == "aliased_import" ? source_.child(c, "alias") : source_.first(c);
    if (name == kNoNode || as == kNoNode) continue;
    bind(as, Binding{Binding::module, kNoNode, c, module + "." + std::string(source_.text(name))});
  }
}

void Scopes::collect_parameters(NodeId id) {
  for (NodeId c = source_.first(id); c != kNoNode; c = source_.next(c)) {
    std::string_view kind = source_.kind(c);
    NodeId name = c;
    if (kind == "default_parameter" || kind == "typed_default_parameter")
      name = source_.child(c, "name");
    else if (kind != "identifier")
      name = source_.first(c);
    if (name != kNoNode && source_.kind(name) != "identifier") name = source_.first(name);  // x: *args
    if (name == kNoNode || source_.kind(name) != "identifier") continue;
    NodeId value = source_.child(c, "value");
    bind(name, Binding{value == kNoNode ? Binding::unknown : Binding::value, kNoNode, value, {}});
  }
}

void Scopes::collect(NodeId id) {
  std::string_view kind = source_.kind(id);
  NodeId name = kNoNode;
  if (kind == "import_statement") {
    collect_import(id);
  } else if (kind == "import_from_statement") {
    collect_from(id);
  } else if (kind == "parameters" || kind == "lambda_parameters") {
    collect_parameters(id);
  } else if (kind == "assignment") {
    NodeId value = source_.child(id, "right");  // a = b = value: each target gets the last right side
    for (int i = 0; value != kNoNode && source_.kind(value) == "assignment" && i < 256; i++)
      value = source_.child(value, "right");
    if (value != kNoNode) bind_target(source_.child(id, "left"), value, false);
  } else if (kind == "augmented_assignment") {
    bind_target(source_.child(id, "left"), kNoNode, false);
  } else if (kind == "named_expression") {
    bind_target(source_.child(id, "name"), source_.child(id, "value"), false);
  } else if (kind == "for_statement" || kind == "for_in_clause") {
    bind_target(source_.child(id, "left"), source_.child(id, "right"), true);
  } else if (kind == "as_pattern") {  // with x as y, except E as e, case P as n
    NodeId alias = source_.child(id, "alias");
    bool with = source_.parent(id) != kNoNode && source_.kind(source_.parent(id)) == "with_item";
    if (alias != kNoNode) bind_target(alias, with ? source_.first(id) : kNoNode, false);
  } else if (kind == "function_definition" || kind == "class_definition") {
    name = source_.child(id, "name");
    if (name != kNoNode) bind(name, Binding{Binding::definition, kNoNode, id, {}});
  } else if (kind == "case_pattern") {
    NodeId inner = source_.first(id);
    if (inner != kNoNode && source_.kind(inner) == "dotted_name") name = source_.first(inner);
    if (name != kNoNode && source_.next(name) == kNoNode) bind(name, Binding{});
  } else if (kind == "global_statement" || kind == "nonlocal_statement") {
    auto& list = kind == "global_statement" ? scopes_[scope_[id]].globals : scopes_[scope_[id]].nonlocals;
    for (NodeId c = source_.first(id); c != kNoNode; c = source_.next(c)) list.insert(source_.text(c));
  }
}

}  // namespace kbx::lint
