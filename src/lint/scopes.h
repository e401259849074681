// Scopes: which binding a name in the text means, by Python's rules (language reference, section 4.2), without running
// it. Flow is ignored: a name that is bound in several places has several bindings. Code under a module-level `if
// __name__ == "__main__":` is dead here, because kbx imports a candidate and never runs it as a script.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lint/source.h"

namespace kbx::lint {

using SymbolId = uint32_t;
inline constexpr SymbolId kNoSymbol = UINT32_MAX;

struct Binding {
  enum Kind : unsigned char {
    module,      // import: `path` is the dotted name
    value,       // `node` is the expression that was assigned
    element,     // `node` is an expression whose elements are assigned one after the other (for x in ...)
    definition,  // `node` is a function_definition or class_definition
    unknown      // parameters, unpacking, except ... as
  };
  Kind kind = unknown;
  NodeId at = kNoNode;  // the place that binds
  NodeId node = kNoNode;
  std::string path;
};

struct Symbol {
  std::string_view name;
  uint32_t scope = 0;  // 0 = module
  std::vector<Binding> bindings;
};

class Scopes {
 public:
  explicit Scopes(const Source& source);

  // The symbol that a name used at `node` means; kNoSymbol: bound nowhere (a builtin, or an error at run time).
  SymbolId lookup(NodeId node, std::string_view name) const;
  SymbolId module_symbol(std::string_view name) const;  // kNoSymbol when the module binds no such name
  const std::vector<Symbol>& symbols() const { return symbols_; }

  bool dead(NodeId id) const { return dead_[id]; }  // under the main guard
  bool is_use(NodeId identifier) const;             // an identifier that is read, not bound or a mere label
  // The name is bound outside the function that uses it (at module level, or in a function around it).
  bool is_outer(NodeId identifier) const;
  bool in_function(NodeId id) const { return outer_function_[id] != kNoNode; }
  // The outermost function or class (at module level) whose body holds `id`; kNoNode for code that runs on import.
  // A class body itself runs on import: only its functions count.
  NodeId outer_function(NodeId id) const { return outer_function_[id]; }
  const std::vector<std::string>& star_imports() const { return stars_; }

 private:
  struct Scope {
    uint32_t parent = 0;
    bool is_class = false, is_comprehension = false;
    std::unordered_map<std::string_view, SymbolId> names;
    std::unordered_set<std::string_view> globals, nonlocals;
  };
  void mark_dead();
  bool is_main_guard(NodeId if_or_elif) const;
  void open_scopes();
  uint32_t scope_for(NodeId id) const;
  void mark_functions();
  void collect(NodeId id);
  void collect_import(NodeId id);
  void collect_from(NodeId id);
  void collect_parameters(NodeId id);
  void bind(NodeId identifier, Binding binding);
  void bind_name(uint32_t scope, std::string_view name, Binding binding);
  void bind_target(NodeId target, NodeId value, bool elements);

  const Source& source_;
  std::vector<Scope> scopes_;
  std::vector<uint32_t> scope_;  // node -> the scope in which it is evaluated
  std::vector<uint32_t> inner_;  // node -> the scope that it opens, or its own
  std::vector<NodeId> outer_function_;
  std::vector<bool> dead_, bound_;
  std::vector<Symbol> symbols_;
  std::vector<std::string> stars_;
};

}  // namespace kbx::lint
