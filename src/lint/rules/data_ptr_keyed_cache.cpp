// data_ptr_keyed_cache: answers remembered by where a tensor lies, not by what is in it.
#include <algorithm>

#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

// For each node: how many mentions of an address lie before it, so that a subtree is asked in constant time.
class Addresses {
 public:
  explicit Addresses(const Context& context) : context_(context), marked_(context.source.size(), false) {
    const Source& source = context.source;
    for (NodeId id = 0; id < source.size(); id++) marked_[id] = is_address(id);
    count();
    for (int round = 0; round < 2; round++) {  // key = x.data_ptr(); full_key = (key, n)
      for (NodeId id = 0; id < source.size(); id++)
        if (source.kind(id) == "identifier" && context.scopes.is_use(id) && holds_address(id)) marked_[id] = true;
      count();
    }
  }
  bool in(NodeId subtree) const { return before_[context_.source.at(subtree).end] > before_[subtree]; }

 private:
  bool is_address(NodeId id) const {
    const Source& source = context_.source;
    if (source.kind(id) == "call") return context_.names.is(source.child(id, "function"), "builtins.id");
    if (source.kind(id) != "identifier" || source.at(id).field != "attribute") return false;
    std::string_view name = source.text(id);
    return name == "data_ptr" || name == "_version" || name == "_cdata" || name == "untyped_storage";
  }
  bool holds_address(NodeId id) const {
    SymbolId symbol = context_.scopes.lookup(id, context_.source.text(id));
    if (symbol == kNoSymbol || context_.scopes.symbols()[symbol].bindings.size() > 8) return false;
    for (const Binding& b : context_.scopes.symbols()[symbol].bindings)
      if (b.kind == Binding::value && is_key(b.node) && in(b.node)) return true;
    return false;
  }
  // A key is the address itself or a row of such, not whatever was computed with it.
  bool is_key(NodeId value) const {
    value = context_.source.bare(value);
    std::string_view kind = context_.source.kind(value);
    return kind == "call" || kind == "tuple" || kind == "attribute" || kind == "string" || kind == "expression_list" ||
           kind == "binary_operator" || kind == "identifier";
  }
  void count() {
    before_.assign(marked_.size() + 1, 0);
    for (size_t i = 0; i < marked_.size(); i++) before_[i + 1] = before_[i] + marked_[i];
  }

  const Context& context_;
  std::vector<bool> marked_;
  std::vector<uint32_t> before_;
};

// Something that outlives the call: a module's or outer function's name, an attribute, a parameter's default.
bool outlives(const Context& context, NodeId expression) {
  const Source& source = context.source;
  expression = source.bare(expression);
  if (expression == kNoNode) return false;
  if (source.kind(expression) == "attribute") return true;
  if (source.kind(expression) != "identifier") return false;
  if (context.scopes.is_outer(expression)) return true;
  SymbolId symbol = context.scopes.lookup(expression, source.text(expression));
  if (symbol == kNoSymbol) return false;
  for (const Binding& b : context.scopes.symbols()[symbol].bindings) {
    NodeId up = b.kind == Binding::value ? source.parent(b.node) : kNoNode;
    if (up != kNoNode && (source.kind(up) == "default_parameter" || source.kind(up) == "typed_default_parameter"))
      return true;
  }
  return false;
}

bool is_keyed_lookup(const Context& context, const Addresses& addresses, NodeId id) {
  const Source& source = context.source;
  if (source.kind(id) == "subscript") {
    NodeId key = source.child(id, "subscript");
    return key != kNoNode && addresses.in(key) && outlives(context, source.child(id, "value"));
  }
  if (source.kind(id) == "call") {
    NodeId callee = source.child(id, "function");
    NodeId method =
        callee != kNoNode && source.kind(callee) == "attribute" ? source.child(callee, "attribute") : kNoNode;
    if (method == kNoNode) return false;
    std::string_view m = source.text(method);
    if (m != "get" && m != "setdefault" && m != "pop") return false;
    std::vector<NodeId> args = context.names.arguments(id);
    return !args.empty() && addresses.in(args[0]) && outlives(context, source.child(callee, "object"));
  }
  std::vector<NodeId> parts = source.kind(id) == "comparison_operator" ? source.children(id) : std::vector<NodeId>{};
  if (parts.size() != 3) return false;
  bool left = addresses.in(parts[0]), right = addresses.in(parts[2]);
  std::string_view op = source.text(parts[1]);
  if (op == "in" || op == "not in") return left && outlives(context, parts[2]);
  if (op != "==" && op != "is" && op != "!=") return false;
  return (left && !right && outlives(context, parts[2])) || (right && !left && outlives(context, parts[0]));
}

bool in_entry(const Context& context, NodeId id) {
  NodeId function = context.scopes.outer_function(id);
  if (function == kNoNode || context.source.kind(function) != "function_definition") return false;
  NodeId name = context.source.child(function, "name");
  std::vector<std::string> entries = context.entries();
  return name != kNoNode && std::find(entries.begin(), entries.end(), context.source.text(name)) != entries.end();
}

// A block that returns something and calls nothing: no kernel refreshes what is returned.
bool only_returns(const Context& context, NodeId block) {
  bool returns = false;
  for (NodeId id = block; id < context.source.at(block).end; id++) {
    if (context.source.kind(id) == "call") return false;
    returns |= context.source.kind(id) == "return_statement";
  }
  return returns;
}

// The lookup, or a variable that holds what it found, decides whether the entry returns early. Elsewhere it may be
// honest: a descriptor or a workspace belongs to an address.
bool answers_early(const Context& context, const std::vector<NodeId>& lookups, NodeId if_statement) {
  const Source& source = context.source;
  NodeId condition = source.child(if_statement, "condition"), block = source.child(if_statement, "consequence");
  if (condition == kNoNode || block == kNoNode || !in_entry(context, if_statement)) return false;
  auto is_lookup = [&](NodeId id) { return std::binary_search(lookups.begin(), lookups.end(), id); };
  bool decides = false;
  for (NodeId id = condition; id < source.at(condition).end; id++) {
    std::string_view op = source.at(id).field == "operators" ? source.text(id) : "";
    if (op == "not in" || op == "!=" || source.kind(id) == "not_operator") return false;
    decides |= is_lookup(id);
    SymbolId symbol = source.kind(id) == "identifier" ? context.scopes.lookup(id, source.text(id)) : kNoSymbol;
    if (symbol == kNoSymbol || context.scopes.symbols()[symbol].bindings.size() > 8) continue;
    for (const Binding& b : context.scopes.symbols()[symbol].bindings)
      decides |= b.kind == Binding::value && is_lookup(b.node);
  }
  return decides && only_returns(context, block);
}

void check(const Context& context, Report& report) {
  Addresses addresses(context);
  std::vector<NodeId> lookups;
  for (NodeId id = 0; id < context.source.size(); id++)
    if (is_keyed_lookup(context, addresses, id)) lookups.push_back(id);
  for (NodeId id : lookups)
    report.add(id, "something remembered across calls is looked up by a tensor's address or identity", Severity::warn);
  for (NodeId id = 0; id < context.source.size() && !lookups.empty(); id++)
    if (context.source.kind(id) == "if_statement" && answers_early(context, lookups, id))
      report.add(id, "the entry returns what it remembers of a tensor's address or identity");
}

}  // namespace

constinit const Rule data_ptr_keyed_cache = {
    "data_ptr_keyed_cache",
    Severity::reject,
    "an entry that returns early what it remembers of an address; any other lookup by `data_ptr()`, `id()` or "
    "`_version` in something that outlives the call is a warning",
    "the same address may hold other values: a remembered answer is wrong then; the judge changes values under the "
    "same address",
    "`x.data_ptr() % 16`, comparing the addresses of two tensors, a local dictionary, caches keyed by shape, dtype or "
    "device",
    check};

}  // namespace kbx::lint::rules
