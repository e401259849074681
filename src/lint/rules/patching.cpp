// patching: nothing of torch, triton, Python or the clock may be replaced.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::string_view kPatched = "is replaced for the whole process";
constexpr std::string_view kSetting = "is set for the whole process";

// Longest match decides; settings that honest code makes are warnings, os.environ and triton.knobs have their own rule.
constexpr NamePattern kTargets[] = {
    {"torch", Severity::reject, kPatched},
    {"torch.backends", Severity::warn, kSetting},
    {"torch._dynamo.config", Severity::warn, kSetting},
    {"torch._inductor.config", Severity::warn, kSetting},
    {"triton", Severity::reject, kPatched},
    {"triton.knobs", std::nullopt, ""},
    {"numpy", Severity::reject, kPatched},
    {"time", Severity::reject, kPatched},
    {"datetime", Severity::reject, kPatched},
    {"builtins", Severity::reject, kPatched},
    {"sys", Severity::reject, kPatched},
    {"sys.path", Severity::warn, "changes where modules are found"},
    {"sys.dont_write_bytecode", Severity::note, kSetting},
    {"os", Severity::reject, kPatched},
    {"os.environ", std::nullopt, ""},
    {"gc", Severity::reject, kPatched},
    {"random", Severity::reject, kPatched},
    {"math", Severity::reject, kPatched},
    {"importlib", Severity::reject, kPatched},
    {"functools", Severity::reject, kPatched},
    {"types", Severity::reject, kPatched},
    {"typing", Severity::reject, kPatched},
    {"threading", Severity::reject, kPatched},
    {"json", Severity::reject, kPatched},
    {"struct", Severity::reject, kPatched},
    {"__main__", Severity::reject, kPatched},
};

constexpr NamePattern kTools[] = {
    {"unittest.mock", Severity::reject, "exists to replace what belongs to others"},
    {"pytest.MonkeyPatch", Severity::reject, "exists to replace what belongs to others"},
    {"forbiddenfruit", Severity::reject, "exists to replace what belongs to others"},
    {"wrapt", Severity::reject, "exists to replace what belongs to others"},
    {"gorilla", Severity::reject, "exists to replace what belongs to others"},
    {"torch.overrides", Severity::warn, "changes what torch's functions do"},
    {"torch.utils._python_dispatch", Severity::warn, "changes what torch's operators do"},
    {"torch.utils.rename_privateuse1_backend", Severity::reject, "changes what torch's operators do"},
};

// A member of a module or class, not of a result: torch.empty(3).grad is the candidate's own.
const NamePattern* target_of(const NameSet& names, const std::string** named) {
  for (const std::string& name : names) {
    if (name.find('(') != std::string::npos) continue;
    // int.x = ... cannot work, and is a lost variable in code with errors.
    if (matches("builtins.*", name) && name.find('.', 9) != std::string::npos) continue;
    const NamePattern* p = best_match(kTargets, name);
    if (!p || !p->severity) continue;
    *named = &name;
    return p;
  }
  return nullptr;
}

void report_target(Report& report, NodeId node, const NameSet& names, bool needs_member) {
  const std::string* name = nullptr;
  const NamePattern* p = target_of(names, &name);
  if (!p || (needs_member && name->find('.') == std::string::npos)) return;
  report.add(node, *name + " " + std::string(p->what), p->severity);
}

// torch.x = ..., del torch.x, torch.__dict__["x"] = ..., with ... as torch.x; and attributes of own kernels.
void check_store(const Context& context, Report& report, const Reference& r) {
  std::string_view kind = context.source.kind(r.node);
  if (kind == "attribute" || kind == "subscript") report_target(report, r.node, r.names, kind == "attribute");
}

// Stores whose target is found by no name: X.__dict__[k] with unknown k, sys.modules[k].
void check_subscript_store(const Context& context, Report& report, NodeId subscript) {
  const Source& source = context.source;
  NodeId parent = source.parent(subscript);
  bool store =
      parent != kNoNode && ((source.at(subscript).field == "left" && source.kind(parent) != "comparison_operator" &&
                             source.kind(parent) != "binary_operator") ||
                            source.kind(parent) == "delete_statement");
  NodeId space = source.child(subscript, "value");
  if (!store || space == kNoNode) return;
  NameSet names = context.names.of(space);
  NodeId call = source.kind(space) == "call" ? space : kNoNode;
  std::vector<NodeId> args = call == kNoNode ? std::vector<NodeId>{} : context.names.arguments(call);
  if (context.names.is(space, "builtins.vars()") && !args.empty()) names = context.names.of(args[0]);
  report_target(report, subscript, names, false);
}

// setattr(torch, ...), delattr, object.__setattr__, torch.__dict__.update(...), torch.library overrides.
void check_call(const Context& context, Report& report, const Reference& r) {
  std::vector<NodeId> args = context.names.arguments(r.call);
  for (const std::string& name : r.names) {
    if ((name == "builtins.setattr" || name == "builtins.delattr" || name == "builtins.object.__setattr__" ||
         name == "builtins.type.__setattr__" || name == "builtins.object.__delattr__") &&
        !args.empty())
      report_target(report, r.call, context.names.of(args[0]), false);
    for (std::string_view method :
         {".__setattr__", ".__delattr__", ".__dict__.update", ".__dict__.pop", ".__dict__.setdefault",
          ".__dict__.clear", "modules.update", "modules.pop", "modules.setdefault", "modules.clear"})
      if (name.size() > method.size() && name.substr(name.size() - method.size()) == method)
        report_target(report, r.call, {name}, false);
    bool overrides =
        name == "torch.library.Library" || name == "torch.library.impl" || name == "torch.library.register_kernel";
    auto what = overrides && !args.empty() ? context.names.constant(args[0]) : std::nullopt;
    if (what && what->substr(0, 4) == "aten") report.add(r.call, "torch's own operators are replaced through " + name);
  }
}

// kernel.run = ...: a launch that launches nothing.
void check_kernel_store(const Context& context, Report& report, NodeId assignment) {
  const Source& source = context.source;
  NodeId left = source.child(assignment, "left");
  NodeId object = left != kNoNode && source.kind(left) == "attribute" ? source.child(left, "object") : kNoNode;
  if (object == kNoNode || source.kind(object) != "identifier") return;
  SymbolId symbol = context.scopes.lookup(object, source.text(object));
  if (symbol != kNoSymbol && context.reach.is_kernel(symbol))
    report.add(left, "an attribute of the kernel `" + std::string(source.text(object)) + "` is replaced",
               Severity::warn);
}

void check(const Context& context, Report& report) {
  check_names(context, report, kTools);
  for (const Reference& r : context.references) {
    if (r.how == Reference::store || r.how == Reference::remove) check_store(context, report, r);
    if (r.call != kNoNode) check_call(context, report, r);
  }
  for (NodeId id = 0; id < context.source.size(); id++) {
    if (context.source.kind(id) == "subscript") check_subscript_store(context, report, id);
    if (context.source.kind(id) == "assignment") check_kernel_store(context, report, id);
  }
}

}  // namespace

constinit const Rule patching = {
    "patching",
    Severity::reject,
    "assignment to, `setattr` on or deletion of anything in torch, triton, time, builtins, sys, os and other modules "
    "of Python; "
    "`unittest.mock`; overrides of `aten` operators; attributes of own kernels (a warning)",
    "the judge and other code of the process would run the candidate's version",
    "`self.forward = f`, `x.grad = None`, `module.weight.data = w`; `torch.backends.cuda.matmul.allow_tf32 = True` is "
    "a warning",
    check};

}  // namespace kbx::lint::rules
