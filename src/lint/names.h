// Names: what an expression refers to, as dotted names from the top of a module: after `import torch as t`,
// `f = t.compile` the name f is "torch.compile". Aliases, getattr with constant (also assembled) strings,
// __import__, importlib, sys.modules, __dict__ and vars are followed. Several names are possible where flow decides;
// none means unknown. The result of calling X is "X()", so `Path("a").open` is "pathlib.Path().open".
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lint/scopes.h"

namespace kbx::lint {

using NameSet = std::vector<std::string>;

class Names {
 public:
  Names(const Source& source, const Scopes& scopes) : source_(source), scopes_(scopes) {}

  // Work and memory are bounded: very long names, deep expressions and more than 32 alternatives are dropped.
  const NameSet& of(NodeId expression);
  bool is(NodeId expression, std::string_view name);  // one of the possible names is this one
  // The string that an expression always is: literals, +, join, reversal, names bound once, f-strings of such.
  std::optional<std::string> constant(NodeId expression);
  // Arguments of a call in order, keywords last; `keyword` finds one by name.
  std::vector<NodeId> arguments(NodeId call) const;
  NodeId keyword(NodeId call, std::string_view name) const;

 private:
  NameSet compute(NodeId id);
  NameSet of_identifier(NodeId id);
  NameSet of_symbol(SymbolId symbol);
  NameSet of_call(NodeId id);
  NameSet of_subscript(NodeId id);
  NameSet members(const NameSet& objects, std::string_view name);
  // What `key` finds in an expression that is a namespace (sys.modules, X.__dict__, vars(X), globals()).
  NameSet entry_of(NodeId space, const std::string& key);
  std::optional<std::string> joined(NodeId call);
  std::optional<std::string> formatted(NodeId string);
  std::optional<std::string> constant_of(NodeId id);

  const Source& source_;
  const Scopes& scopes_;
  std::unordered_map<NodeId, NameSet> known_;
  std::unordered_map<SymbolId, NameSet> symbols_;
  int depth_ = 0;
};

// One spelling for what torch, triton and Python offer under several: "torch.ops.aten.mm" is "torch.mm",
// "torch.os.system" is "os.system".
std::string canonical(std::string name);
bool is_builtin(std::string_view name);

}  // namespace kbx::lint
