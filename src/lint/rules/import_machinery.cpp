// import_machinery: modules that are not named by an import statement.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::string_view kImports = "changes or runs Python's import system";

constexpr NamePattern kNames[] = {
    {"importlib", Severity::warn, "can import what the text does not name"},
    {"importlib.*", Severity::reject, kImports},
    {"importlib.import_module", std::nullopt, ""},  // below
    {"importlib.util", Severity::note, "asks which modules there are"},
    {"importlib.util.*", Severity::reject, kImports},
    {"importlib.util.find_spec", Severity::note, "asks which modules there are"},
    {"importlib.metadata", Severity::note, "asks which packages there are"},
    {"sys.path", Severity::warn, "changes where modules are found"},
    {"sys.meta_path", Severity::reject, kImports},
    {"sys.path_hooks", Severity::reject, kImports},
    {"sys.path_importer_cache", Severity::reject, kImports},
    {"imp", Severity::reject, kImports},
    {"zipimport", Severity::reject, kImports},
    {"pkgutil", Severity::warn, "asks which modules there are"},
    {"site", Severity::warn, "changes where modules are found"},
};

void check_import_call(const Context& context, Report& report, const Reference& r, const std::string& name) {
  std::vector<NodeId> args = r.call == kNoNode ? std::vector<NodeId>{} : context.names.arguments(r.call);
  if (r.how == Reference::import) {
    report.add(r.node, name + " can import what the text does not name", Severity::warn);
  } else if (args.empty()) {
    report.add(r.node, name + " is handed on as a value", Severity::reject);
  } else if (auto module = context.names.constant(args[0])) {
    report.add(r.node, "the module " + *module + " is imported by a call", Severity::warn);
  } else {
    report.add(r.node, "a module chosen at run time is imported", Severity::reject);
  }
}

void check(const Context& context, Report& report) {
  check_names(context, report, kNames);
  for (const Reference& r : context.references)
    for (const std::string& name : r.names)
      if (name == "importlib.import_module" || name == "builtins.__import__")
        check_import_call(context, report, r, name);
}

}  // namespace

constinit const Rule import_machinery = {
    "import_machinery",
    Severity::reject,
    "`importlib` and `__import__` (with a constant name: a warning, and the module is checked as if imported), import "
    "hooks, `sys.path`",
    "modules that the text does not name cannot be checked, and hooks change what others import",
    "import statements, also inside functions and `try`; `importlib.util.find_spec` (a note)",
    check};

}  // namespace kbx::lint::rules
