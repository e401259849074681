// subclassed_tensor: results that are not plain tensors can compute later, or lie.
#include <algorithm>
#include <array>

#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::array<std::string_view, 7> kBases = {"torch.Tensor",
                                                    "torch.nn.Parameter",
                                                    "torch.nn.parameter.Parameter",
                                                    "torch.overrides.TorchFunctionMode",
                                                    "torch.utils._python_dispatch.TorchDispatchMode",
                                                    "torch.utils._python_dispatch.TorchDispatchMode",
                                                    "torch.nn.Buffer"};
constexpr std::array<std::string_view, 5> kMakers = {"_make_subclass", "_make_wrapper_subclass", "as_subclass",
                                                     "_new_shared_cuda", "_rebuild"};

bool is_tensor_class(const Context& context, NodeId expression) {
  for (const std::string& name : context.names.of(expression))
    if (std::find(kBases.begin(), kBases.end(), name) != kBases.end()) return true;
  return false;
}

void check_class(const Context& context, Report& report, NodeId definition) {
  NodeId bases = context.source.child(definition, "superclasses");
  if (bases == kNoNode) return;
  for (NodeId base = context.source.first(bases); base != kNoNode; base = context.source.next(base))
    if (is_tensor_class(context, base)) report.add(definition, "this class changes what a tensor is or does");
}

// type("X", (torch.Tensor,), {...})
void check_type_call(const Context& context, Report& report, NodeId call) {
  std::vector<NodeId> args = context.names.arguments(call);
  if (args.size() != 3 || !context.names.is(context.source.child(call, "function"), "builtins.type")) return;
  for (NodeId base = context.source.first(args[1]); base != kNoNode; base = context.source.next(base))
    if (is_tensor_class(context, base)) report.add(call, "this class changes what a tensor is or does");
}

void check_identifier(const Context& context, Report& report, NodeId id) {
  const Source& source = context.source;
  NodeId parent = source.parent(id);
  if (parent == kNoNode) return;
  std::string_view name = source.text(id), field = source.at(id).field;
  bool hook = name == "__torch_function__" || name == "__torch_dispatch__";
  if (hook && field == "name" && source.kind(parent) == "function_definition")
    report.add(id, std::string(name) + " changes what torch's functions do");
  if (field != "attribute" || source.kind(parent) != "attribute") return;
  if (std::find(kMakers.begin(), kMakers.end(), name) != kMakers.end())
    report.add(id, std::string(name) + " makes a tensor of another class");
  NodeId up = source.parent(parent);
  bool stored = up != kNoNode && source.kind(up) == "assignment" && source.at(parent).field == "left";
  if (name == "__class__" && stored) report.add(id, "the class of an object is replaced");
}

void check(const Context& context, Report& report) {
  for (NodeId id = 0; id < context.source.size(); id++) {
    std::string_view kind = context.source.kind(id);
    if (kind == "class_definition") check_class(context, report, id);
    if (kind == "call") check_type_call(context, report, id);
    if (kind == "identifier") check_identifier(context, report, id);
  }
}

}  // namespace

constinit const Rule subclassed_tensor = {
    "subclassed_tensor",
    Severity::warn,
    "classes derived from `torch.Tensor`, `__torch_function__`, `__torch_dispatch__`, `as_subclass`, replaced "
    "`__class__`",
    "such a tensor can put off its work until the clock has stopped; the judge accepts plain tensors only",
    "`class Model(torch.nn.Module)`, `class Op(torch.autograd.Function)`, annotations with `torch.Tensor`, "
    "`isinstance(x, torch.Tensor)`",
    check};

}  // namespace kbx::lint::rules
