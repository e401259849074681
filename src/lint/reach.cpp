// Reach: a walk over mentions of module-level names.
#include "lint/reach.h"

#include <algorithm>
#include <array>

namespace kbx::lint {
namespace {

bool is_one_of(const NameSet& names, std::initializer_list<std::string_view> list) {
  for (const std::string& n : names)
    if (std::find(list.begin(), list.end(), n) != list.end()) return true;
  return false;
}

// "triton.jit", and "triton.autotune()" for the decorator that a call returns.
bool makes_kernel(const NameSet& names) {
  for (std::string n : names) {
    while (n.size() > 2 && n.substr(n.size() - 2) == "()") n.resize(n.size() - 2);
    if (is_one_of({n}, {"triton.jit", "triton.autotune", "triton.heuristics", "triton.JITFunction",
                        "triton.experimental.gluon.jit", "triton.language.jit"}))
      return true;
  }
  return false;
}

// Decorators that neither call nor register what they decorate.
bool is_plain_decorator(const NameSet& names) {
  static constexpr std::array<std::string_view, 14> kPlain = {"torch.no_grad",         "torch.inference_mode",
                                                              "torch.enable_grad",     "functools.wraps",
                                                              "functools.lru_cache",   "functools.cache",
                                                              "builtins.staticmethod", "builtins.classmethod",
                                                              "builtins.property",     "triton.testing.perf_report",
                                                              "torch.jit.ignore",      "dataclasses.dataclass",
                                                              "torch.compile",         "pytest.mark"};
  for (const std::string& n : names)
    for (std::string_view p : kPlain)
      if (n.substr(0, p.size()) == p) return true;
  return makes_kernel(names);
}

// The expressions behind the @ of a decorated_definition.
std::vector<NodeId> decorators_of(const Source& source, NodeId decorated) {
  std::vector<NodeId> out;
  for (NodeId c = source.first(decorated); c != kNoNode; c = source.next(c))
    if (source.kind(c) == "decorator" && source.first(c) != kNoNode) out.push_back(source.first(c));
  return out;
}

// The definition with its decorators.
NodeId whole(const Source& source, NodeId definition) {
  NodeId up = source.parent(definition);
  return up != kNoNode && source.kind(up) == "decorated_definition" ? up : definition;
}

bool looks_up_own_names(const NameSet& names) {
  for (const std::string& n : names)
    if (n.substr(0, 8) == "inspect." || n.substr(0, 3) == "gc." || n.substr(0, 11) == "sys.modules" ||
        is_one_of({n}, {"builtins.globals", "builtins.locals", "builtins.vars", "builtins.eval", "builtins.exec",
                        "builtins.__import__", "importlib.import_module", "sys._getframe", "runpy.run_path"}))
      return true;
  return false;
}

}  // namespace

Reach::Reach(const Source& source, const Scopes& scopes, Names& names, const std::vector<Reference>& references,
             const std::vector<std::string>& entries)
    : source_(source), scopes_(scopes), stores_(scopes.symbols().size()) {
  find_kernels(names);
  find_stores();
  for (const Reference& r : references) dynamic_ |= r.how != Reference::import && looks_up_own_names(r.names);
  from_entry_ = begin();
  from_all_ = begin();
  for (const std::string& entry : entries) {
    SymbolId symbol = scopes_.module_symbol(entry);
    if (symbol == kNoSymbol) continue;
    has_entry_ = true;
    push(from_entry_, symbol);
    push(from_all_, symbol);
  }
  finish(from_entry_);
  push_import_time(from_all_, names);
  finish(from_all_);
}

bool Reach::runs(NodeId id) const { return dynamic_ || !has_entry_ || !scopes_.in_function(id) || from_all_.seen[id]; }

bool Reach::is_kernel(SymbolId symbol) const {
  return std::any_of(kernels_.begin(), kernels_.end(), [&](const Kernel& k) { return k.symbol == symbol; });
}

bool Reach::reached(const Kernel& kernel, const Visit& v) const {
  return v.seen[kernel.node] || (kernel.symbol != kNoSymbol && v.visited[kernel.symbol]);
}

Reach::Visit Reach::begin() const {
  Visit v;
  v.next.resize(source_.size() + 1);
  for (NodeId i = 0; i < v.next.size(); i++) v.next[i] = i;
  v.seen.assign(source_.size(), false);
  v.visited.assign(scopes_.symbols().size(), false);
  return v;
}

void Reach::push(Visit& v, SymbolId symbol) const {
  if (symbol == kNoSymbol || v.visited[symbol] || scopes_.symbols()[symbol].scope != 0) return;
  v.visited[symbol] = true;
  v.todo.push_back(symbol);
}

// Each node is looked at once, however the ranges overlap.
void Reach::scan(Visit& v, NodeId from, NodeId end) const {
  auto find = [&](NodeId i) {
    while (v.next[i] != i) i = v.next[i] = v.next[v.next[i]];
    return i;
  };
  for (NodeId id = find(from); id < end; id = find(id)) {
    v.next[id] = id + 1;
    v.seen[id] = true;
    if (scopes_.dead(id) || !scopes_.is_use(id)) continue;
    push(v, scopes_.lookup(id, source_.text(id)));
  }
}

void Reach::finish(Visit& v) const {
  while (!v.todo.empty()) {
    SymbolId symbol = v.todo.back();
    v.todo.pop_back();
    for (const Binding& b : scopes_.symbols()[symbol].bindings) {
      if (b.node == kNoNode) continue;
      NodeId node = b.kind == Binding::definition ? whole(source_, b.node) : b.node;
      scan(v, node, source_.at(node).end);
    }
    for (NodeId value : stores_[symbol]) scan(v, value, source_.at(value).end);
  }
}

void Reach::find_stores() {
  for (NodeId id = 0; id < source_.size(); id++) {
    if (source_.kind(id) != "assignment" || scopes_.in_function(id) || scopes_.dead(id)) continue;
    NodeId root = source_.child(id, "left"), value = source_.child(id, "right");
    if (root == kNoNode || value == kNoNode || source_.kind(root) == "identifier") continue;
    for (int i = 0; i < 32 && (source_.kind(root) == "attribute" || source_.kind(root) == "subscript"); i++)
      root = source_.first(root);
    if (source_.kind(root) != "identifier") continue;
    SymbolId symbol = scopes_.lookup(root, source_.text(root));
    if (symbol != kNoSymbol) stores_[symbol].push_back(value);
  }
}

void Reach::push_import_time(Visit& v, Names& names) const {
  for (NodeId id = 0; id < source_.size(); id++) {
    if (scopes_.dead(id) || scopes_.in_function(id)) continue;
    if (scopes_.is_use(id)) push(v, scopes_.lookup(id, source_.text(id)));
    if (source_.kind(id) != "decorated_definition") continue;
    bool plain = true;
    for (NodeId d : decorators_of(source_, id)) plain &= is_plain_decorator(names.of(d));
    if (!plain) scan(v, id, source_.at(id).end);  // a decorator may call it or hand it on
  }
  for (const Symbol& s : scopes_.symbols())  // __getattr__ and such are called by Python
    if (s.scope == 0 && s.name.substr(0, 2) == "__") push(v, scopes_.module_symbol(s.name));
}

void Reach::find_kernels(Names& names) {
  for (NodeId id = 0; id < source_.size(); id++) {
    if (scopes_.dead(id) || source_.kind(id) != "decorated_definition") continue;
    bool kernel = false;
    for (NodeId d : decorators_of(source_, id)) kernel |= makes_kernel(names.of(d));
    NodeId definition = source_.child(id, "definition");
    if (!kernel || definition == kNoNode || source_.kind(definition) != "function_definition") continue;
    NodeId name = source_.child(definition, "name");
    if (name == kNoNode) continue;
    SymbolId symbol = scopes_.in_function(definition) ? kNoSymbol : scopes_.module_symbol(source_.text(name));
    kernels_.push_back({definition, symbol, source_.text(name)});
  }
  for (SymbolId s = 0; s < scopes_.symbols().size(); s++)
    for (const Binding& b : scopes_.symbols()[s].bindings) {
      if (b.kind != Binding::value || source_.kind(source_.bare(b.node)) != "call") continue;
      NodeId call = source_.bare(b.node);
      NodeId callee = source_.child(call, "function");
      if (callee == kNoNode || !makes_kernel(names.of(callee))) continue;
      SymbolId symbol = scopes_.symbols()[s].scope == 0 ? s : kNoSymbol;
      kernels_.push_back({call, symbol, scopes_.symbols()[s].name});
    }
}

}  // namespace kbx::lint
