// Reach: what code of a candidate can run: on import, or when its entry is called. An over-approximation by mention:
// code runs if a name that leads to it is mentioned in code that runs, so tables of functions, partial, lambdas,
// classes and autograd functions are followed. Where the candidate looks up its own names as strings
// (globals(), sys.modules, exec ...) everything may run.
#pragma once
#include <string>
#include <vector>

#include "lint/references.h"

namespace kbx::lint {

struct Kernel {
  NodeId node = kNoNode;        // its function_definition, or the call of triton.jit
  SymbolId symbol = kNoSymbol;  // its name at module level; kNoSymbol when it is made inside a function
  std::string_view name;
};

class Reach {
 public:
  // `entries`: names at module level that the judge may call.
  Reach(const Source& source, const Scopes& scopes, Names& names, const std::vector<Reference>& references,
        const std::vector<std::string>& entries);

  bool has_entry() const { return has_entry_; }
  bool dynamic() const { return dynamic_; }
  // May run on import or from the entry. True for everything if there is no entry or the lookups are dynamic.
  bool runs(NodeId id) const;
  const std::vector<Kernel>& kernels() const { return kernels_; }
  bool from_entry(const Kernel& kernel) const { return reached(kernel, from_entry_); }
  bool from_anywhere(const Kernel& kernel) const { return reached(kernel, from_all_); }
  bool is_kernel(SymbolId symbol) const;

 private:
  struct Visit {
    std::vector<NodeId> next;   // union-find: the next node not yet seen
    std::vector<bool> seen;     // nodes
    std::vector<bool> visited;  // symbols
    std::vector<SymbolId> todo;
  };
  Visit begin() const;
  void push(Visit& v, SymbolId symbol) const;
  void scan(Visit& v, NodeId from, NodeId end) const;
  void finish(Visit& v) const;
  bool reached(const Kernel& kernel, const Visit& v) const;
  void find_kernels(Names& names);
  void find_stores();
  void push_import_time(Visit& v, Names& names) const;

  const Source& source_;
  const Scopes& scopes_;
  std::vector<Kernel> kernels_;
  std::vector<std::vector<NodeId>> stores_;  // symbol -> values stored into it
  bool has_entry_ = false, dynamic_ = false;
  Visit from_entry_, from_all_;
};

}  // namespace kbx::lint
