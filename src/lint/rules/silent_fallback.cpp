// silent_fallback: a library that answers when the kernel fails.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

// kernel[grid](...), or a call of a function of the module itself.
bool calls_own_code(const Context& context, NodeId block) {
  const Source& source = context.source;
  for (NodeId id = block; id < source.at(block).end; id++) {
    if (source.kind(id) != "call") continue;
    NodeId callee = source.child(id, "function");
    if (callee == kNoNode) continue;
    NodeId root = source.kind(callee) == "subscript" ? source.child(callee, "value") : callee;
    if (root == kNoNode || source.kind(root) != "identifier") continue;
    SymbolId symbol = context.scopes.lookup(root, source.text(root));
    if (symbol == kNoSymbol) continue;
    if (context.reach.is_kernel(symbol)) return true;
    for (const Binding& b : context.scopes.symbols()[symbol].bindings)
      if (b.kind == Binding::definition && source.kind(b.node) == "function_definition") return true;
  }
  return false;
}

// return torch.f(...) or return x.f(...): another way to the result.
NodeId library_return(const Context& context, NodeId clause) {
  const Source& source = context.source;
  for (NodeId id = clause; id < source.at(clause).end; id++) {
    NodeId value = source.kind(id) == "return_statement" ? source.bare(source.first(id)) : kNoNode;
    if (value == kNoNode || source.kind(value) != "call") continue;
    for (const std::string& name : context.names.of(source.child(value, "function")))
      if (matches("torch", name)) return id;
  }
  return kNoNode;
}

void check(const Context& context, Report& report) {
  const Source& source = context.source;
  for (NodeId id = 0; id < source.size(); id++) {
    if (source.kind(id) != "try_statement") continue;
    NodeId body = source.child(id, "body");
    if (body == kNoNode || !calls_own_code(context, body)) continue;
    for (NodeId c = source.first(id); c != kNoNode; c = source.next(c)) {
      NodeId found = source.kind(c) == "except_clause" ? library_return(context, c) : kNoNode;
      if (found != kNoNode) report.add(found, "if the kernel fails, a library gives the result");
    }
  }
}

}  // namespace

constinit const Rule silent_fallback = {
    "silent_fallback",
    Severity::warn,
    "`try:` around the candidate's own code whose `except` returns a result of torch",
    "a broken kernel would look right; whether the library did the work is decided when it runs",
    "`except` that raises, logs or tries another kernel; `try` around an import",
    check};

}  // namespace kbx::lint::rules
