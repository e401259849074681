// Names: following references.
#include "lint/names.h"

#include <algorithm>

namespace kbx::lint {
namespace {

constexpr size_t kMostNames = 32;
constexpr size_t kLongestName = 200;
constexpr int kDeepest = 64;

void add(NameSet& to, std::string name) {
  if (to.size() < kMostNames && name.size() <= kLongestName && std::find(to.begin(), to.end(), name) == to.end())
    to.push_back(std::move(name));
}
void add_all(NameSet& to, const NameSet& from) {
  for (const std::string& name : from) add(to, name);
}
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

const NameSet& Names::of(NodeId id) {
  static const NameSet kNone;
  if (id == kNoNode || depth_ >= kDeepest) return kNone;
  auto [entry, fresh] = known_.try_emplace(id);  // empty while it is computed: a cycle adds nothing
  if (!fresh) return entry->second;
  depth_++;
  NameSet names = compute(id);
  depth_--;
  return known_[id] = std::move(names);
}

bool Names::is(NodeId id, std::string_view name) {
  const NameSet& names = of(id);
  return std::find(names.begin(), names.end(), name) != names.end();
}

NameSet Names::compute(NodeId id) {
  std::string_view kind = source_.kind(id);
  NameSet out;
  if (kind == "identifier") return of_identifier(id);
  if (kind == "attribute") {
    NodeId name = source_.child(id, "attribute");
    if (name != kNoNode) return members(of(source_.child(id, "object")), source_.text(name));
  } else if (kind == "call") {
    return of_call(id);
  } else if (kind == "subscript") {
    return of_subscript(id);
  } else if (kind == "parenthesized_expression" || kind == "await") {
    return of(source_.first(id));
  } else if (kind == "named_expression") {
    return of(source_.child(id, "value"));
  } else if (kind == "conditional_expression") {  // a if b else c
    std::vector<NodeId> parts = source_.children(id);
    for (size_t i = 0; i < parts.size(); i += 2) add_all(out, of(parts[i]));
  } else if (kind == "binary_operator") {  // Path("a") / "b" is a Path
    for (const std::string& name : of(source_.child(id, "left")))
      if (name.substr(0, 8) == "pathlib.") add(out, name);
  } else if (kind == "boolean_operator") {
    add_all(out, of(source_.child(id, "left")));
    add_all(out, of(source_.child(id, "right")));
  }
  return out;
}

NameSet Names::members(const NameSet& objects, std::string_view name) {
  NameSet out;
  for (const std::string& object : objects) add(out, canonical(object + "." + std::string(name)));
  return out;
}

NameSet Names::of_identifier(NodeId id) {
  std::string_view name = source_.text(id);
  SymbolId symbol = scopes_.lookup(id, name);
  if (symbol != kNoSymbol) return of_symbol(symbol);
  NameSet out;
  for (const std::string& module : scopes_.star_imports()) add(out, canonical(module + "." + std::string(name)));
  if (name == "__builtins__") add(out, "builtins");
  if (is_builtin(name)) add(out, "builtins." + std::string(name));
  // A forgotten import: Python will say so; until then the name means what it was meant to mean.
  if (name == "torch" || name == "triton") add(out, std::string(name));
  if (name == "tl") add(out, "triton.language");
  return out;
}

NameSet Names::of_symbol(SymbolId id) {
  if (auto known = symbols_.find(id); known != symbols_.end()) return known->second;
  symbols_[id];  // stops cycles
  NameSet out;
  for (const Binding& b : scopes_.symbols()[id].bindings) {
    if (b.kind == Binding::module) {
      add(out, canonical(b.path));
    } else if (b.kind == Binding::value) {
      add_all(out, of(b.node));
    } else if (b.kind == Binding::element) {
      std::string_view kind = source_.kind(b.node);
      if (kind != "tuple" && kind != "list" && kind != "set") continue;
      for (NodeId c = source_.first(b.node); c != kNoNode; c = source_.next(c)) add_all(out, of(c));
    }
  }
  if (depth_ < kDeepest) symbols_[id] = out;
  return out;
}

std::vector<NodeId> Names::arguments(NodeId call) const {
  NodeId list = source_.child(call, "arguments");
  if (list == kNoNode || source_.kind(list) != "argument_list") return {};
  std::vector<NodeId> out;
  for (NodeId c = source_.first(list); c != kNoNode; c = source_.next(c))
    if (source_.kind(c) != "keyword_argument") out.push_back(c);
  return out;
}

NodeId Names::keyword(NodeId call, std::string_view name) const {
  NodeId list = source_.child(call, "arguments");
  if (list == kNoNode) return kNoNode;
  for (NodeId c = source_.first(list); c != kNoNode; c = source_.next(c)) {
    NodeId label = source_.kind(c) == "keyword_argument" ? source_.child(c, "name") : kNoNode;
    if (label != kNoNode && source_.text(label) == name) return source_.child(c, "value");
  }
  return kNoNode;
}

NameSet Names::of_call(NodeId id) {
  NodeId callee = source_.bare(source_.child(id, "function"));
  if (callee == kNoNode) return {};
  NameSet callees = of(callee), out;
  std::vector<NodeId> args = arguments(id);
  for (const std::string& name : callees) {
    if ((name == "builtins.getattr" || name == "inspect.getattr_static") && args.size() >= 2) {
      if (auto key = constant(args[1])) add_all(out, members(of(args[0]), *key));
      if (args.size() > 2) add_all(out, of(args[2]));
    } else if ((name == "builtins.__import__" || ends_with(name, "importlib.import_module") ||
                ends_with(name, "importlib.__import__")) &&
               !args.empty()) {
      auto module = constant(args[0]);
      if (!module) continue;
      bool top = !ends_with(name, "import_module") && args.size() < 4 && keyword(id, "fromlist") == kNoNode;
      add(out, canonical(top ? module->substr(0, module->find('.')) : *module));
    } else if (name == "operator.attrgetter()" && source_.kind(callee) == "call" && !args.empty()) {
      std::vector<NodeId> keys = arguments(callee);
      auto key = keys.empty() ? std::nullopt : constant(keys[0]);
      if (key) add_all(out, members(of(args[0]), *key));
    } else {
      add(out, name + "()");
    }
  }
  if (source_.kind(callee) == "attribute" && !args.empty()) {
    NodeId method = source_.child(callee, "attribute");
    std::string_view m = method == kNoNode ? "" : source_.text(method);
    if (m == "get" || m == "pop" || m == "__getitem__" || m == "setdefault")
      if (auto key = constant(args[0])) add_all(out, entry_of(source_.child(callee, "object"), *key));
  }
  return out;
}

NameSet Names::of_subscript(NodeId id) {
  NodeId space = source_.child(id, "value"), index = source_.child(id, "subscript");
  if (index == kNoNode) return {};
  auto key = constant(index);
  return key ? entry_of(space, *key) : NameSet{};
}

NameSet Names::entry_of(NodeId space, const std::string& key) {
  NameSet out;
  space = source_.bare(space);
  for (const std::string& name : NameSet(of(space))) {
    if (name == "sys.modules") add(out, canonical(key));
    if (name == "builtins") add(out, "builtins." + key);  // __builtins__ may be a dictionary
    if (ends_with(name, ".__dict__")) add(out, canonical(name.substr(0, name.size() - 9) + "." + key));
    if (source_.kind(space) != "call") continue;
    std::vector<NodeId> args = arguments(space);
    if (name == "builtins.vars()" && !args.empty()) add_all(out, members(of(args[0]), key));
    if (name == "builtins.globals()" || name == "builtins.locals()" || name == "builtins.vars()") {
      SymbolId symbol = scopes_.module_symbol(key);
      if (symbol != kNoSymbol) add_all(out, of_symbol(symbol));
      if (key == "__builtins__") add(out, "builtins");
    }
  }
  return out;
}

}  // namespace kbx::lint
