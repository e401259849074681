// dynamic_attribute: names that only exist when the code runs.
#include <algorithm>
#include <array>

#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

// Modules of which a part is forbidden and a part is not: as a whole they must not be handed on.
constexpr std::array<std::string_view, 11> kSensitive = {
    "os", "sys", "builtins", "importlib", "gc", "inspect", "ctypes", "subprocess", "pickle", "shutil", "socket"};

constexpr NamePattern kNames[] = {
    {"builtins.globals", Severity::warn, "gives access to names by text"},
    {"builtins.locals", Severity::note, "gives access to names by text"},
    {"operator.attrgetter", Severity::warn, "reads attributes by text"},
    {"operator.methodcaller", Severity::warn, "calls methods by text"},
};

bool is_sensitive(const NameSet& names, bool only) {
  auto listed = [](const std::string& n) {
    return std::find(kSensitive.begin(), kSensitive.end(), n) != kSensitive.end();
  };
  return only ? !names.empty() && std::all_of(names.begin(), names.end(), listed)
              : std::any_of(names.begin(), names.end(), listed);
}

// getattr(os, name) and the like with a name that is not constant.
void check_lookup(const Context& context, Report& report, const Reference& r) {
  for (const std::string& name : r.names) {
    bool get = name == "builtins.getattr" || name == "builtins.setattr" || name == "builtins.delattr";
    std::vector<NodeId> args = get ? context.names.arguments(r.call) : std::vector<NodeId>{};
    if (args.size() < 2 || context.names.constant(args[1])) continue;
    const NameSet& object = context.names.of(args[0]);
    if (is_sensitive(object, false))
      report.add(r.call, "an attribute of " + object[0] + " is chosen at run time", Severity::reject);
    else if (!object.empty() && object[0].find('(') == std::string::npos &&
             (matches("torch", object[0]) || matches("triton", object[0])))
      report.add(r.call, "an attribute of " + object[0] + " is chosen at run time",
                 matches("triton.language", object[0]) ? Severity::note : Severity::warn);
  }
}

// f(os), [os], self.x = os: where it goes is not followed. Plain aliases and tests are.
void check_handed_on(const Context& context, Report& report, const Reference& r) {
  if (r.how != Reference::use || !is_sensitive(r.names, true)) return;
  const Source& source = context.source;
  NodeId parent = source.parent(r.node);
  std::string_view kind = parent == kNoNode ? "" : source.kind(parent);
  if (kind == "comparison_operator" || kind == "if_statement" || kind == "not_operator" || kind == "subscript") return;
  if ((kind == "assignment" || kind == "named_expression") && source.kind(source.first(parent)) == "identifier") return;
  if (kind == "default_parameter" || kind == "expression_statement" || kind == "conditional_expression") return;
  NodeId call = kind == "argument_list" ? source.parent(parent) : kNoNode;
  NodeId callee = call == kNoNode ? kNoNode : source.child(call, "function");
  for (std::string_view f :
       {"builtins.getattr", "builtins.hasattr", "builtins.setattr", "builtins.delattr", "builtins.vars"})
    if (callee != kNoNode && context.names.is(callee, f)) return;
  report.add(r.node, "the module " + r.names[0] + " is handed on as a value", Severity::reject);
}

void check(const Context& context, Report& report) {
  check_names(context, report, kNames);
  for (const Reference& r : context.references) {
    if (r.call != kNoNode) check_lookup(context, report, r);
    check_handed_on(context, report, r);
  }
}

}  // namespace

constinit const Rule dynamic_attribute = {"dynamic_attribute",
                                          Severity::reject,
                                          "`getattr` with a name chosen at run time on os, sys, builtins and such "
                                          "(torch: a warning), such modules handed on as values, `globals()`",
                                          "what is chosen at run time cannot be read from the text",
                                          "`getattr(torch, \"float16\")` (a constant is simply followed), "
                                          "`getattr(self, name)`, `getattr(tl, name)` (a note)",
                                          check};

}  // namespace kbx::lint::rules
