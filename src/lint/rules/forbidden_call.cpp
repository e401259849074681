// forbidden_call: operators that the task itself excludes.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

bool any_matches(const std::vector<std::string>& patterns, std::string_view name) {
  for (const std::string& p : patterns)
    if (matches(p, name)) return true;
  return false;
}

// x.softmax() where x is unknown or a result: ".softmax". Names of modules are matched in full instead.
void check_method(const Context& context, Report& report, const Reference* known, NodeId attribute) {
  NodeId method = context.source.child(attribute, "attribute");
  if (method == kNoNode || (known && known->names[0].find('(') == std::string::npos)) return;
  std::string name = "." + std::string(context.source.text(method));
  NodeId object = context.source.child(attribute, "object");
  if (object != kNoNode && context.source.text(object) == "self") return;
  if (any_matches(context.input.forbidden_calls, name) && !any_matches(context.input.allowed_calls, name))
    report.add(method, name + "() does the work that the task asks for");
}

void check(const Context& context, Report& report) {
  if (context.input.forbidden_calls.empty()) return;
  size_t at = 0;  // references come in source order
  for (NodeId id = 0; id < context.source.size(); id++) {
    while (at < context.references.size() && context.references[at].node < id) at++;
    const Reference* known = nullptr;
    if (at < context.references.size() && context.references[at].node == id) known = &context.references[at];
    // `import torch.nn.functional as F` uses nothing yet.
    if (known && context.source.kind(context.source.parent(id)) != "import_statement")
      for (const std::string& name : known->names)
        if (any_matches(context.input.forbidden_calls, name) && !any_matches(context.input.allowed_calls, name))
          report.add(id, name + " does the work that the task asks for");
    NodeId parent = context.source.parent(id);
    bool called =
        parent != kNoNode && context.source.kind(parent) == "call" && context.source.at(id).field == "function";
    if (called && context.source.kind(id) == "attribute") check_method(context, report, known, id);
  }
}

}  // namespace

constinit const Rule forbidden_call = {
    "forbidden_call",
    Severity::reject,
    "operators and methods that the task's definition excludes, under any alias",
    "the operator is the task's own work",
    "methods of `self`, functions of one's own with that name, operators that the task allows",
    check};

}  // namespace kbx::lint::rules
