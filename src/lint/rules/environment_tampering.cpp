// environment_tampering: variables and knobs that change the compiler or the interpreter.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

// Harmless ones are set by honest code too.
Severity severity_of(const std::optional<std::string>& key) {
  if (!key) return Severity::reject;
  if (*key == "TRITON_PRINT_AUTOTUNING" || *key == "PYTHONHASHSEED") return Severity::warn;
  for (std::string_view prefix :
       {"TRITON_", "LD_", "PYTHON", "KBX_", "NVIDIA_", "CUDA_INJECTION", "MLIR_", "LLVM_", "PTXAS"})
    if (key->substr(0, prefix.size()) == prefix) return Severity::reject;
  return Severity::warn;
}

void report_key(const Context& context, Report& report, NodeId at, NodeId key_node) {
  auto key = key_node == kNoNode ? std::nullopt : context.names.constant(key_node);
  report.add(at, "the environment variable " + key.value_or("(chosen at run time)") + " is changed", severity_of(key));
}

bool is_target(const Source& source, NodeId subscript) {
  NodeId parent = source.parent(subscript);
  if (parent == kNoNode) return false;
  std::string_view kind = source.kind(parent);
  return kind == "delete_statement" ||
         (source.at(subscript).field == "left" && (kind == "assignment" || kind == "augmented_assignment"));
}

void check_environ(const Context& context, Report& report, const Reference& r, const std::string& name) {
  NodeId parent = context.source.parent(r.node);
  bool item =
      parent != kNoNode && context.source.kind(parent) == "subscript" && context.source.at(r.node).field == "value";
  std::vector<NodeId> args = r.call == kNoNode ? std::vector<NodeId>{} : context.names.arguments(r.call);
  if (item && is_target(context.source, parent)) {
    report_key(context, report, parent, context.source.child(parent, "subscript"));
  } else if (name == "os.environ.setdefault" || name == "os.environ.pop" || name == "os.environ.__setitem__" ||
             name == "os.environ.__delitem__" || name == "os.putenv" || name == "os.unsetenv") {
    report_key(context, report, r.node, args.empty() ? kNoNode : args[0]);
  } else if (name == "os.environ.update" || name == "os.environ.clear" || name == "os.environ.popitem") {
    report.add(r.node, name + " changes the environment");
  } else if (r.how != Reference::import) {
    report.add(r.node, name + " reads the environment", Severity::note);
  }
}

void check(const Context& context, Report& report) {
  for (const Reference& r : context.references)
    for (const std::string& name : r.names) {
      if (matches("os.environ", name) || name == "os.getenv" || name == "os.putenv" || name == "os.unsetenv")
        check_environ(context, report, r, name);
      bool knob = matches("triton.knobs", name) && name.find('(') == std::string::npos;
      if (knob && (r.how == Reference::store || r.how == Reference::remove))
        report.add(r.node, name + " is set for the whole process");
    }
}

}  // namespace

constinit const Rule environment_tampering = {
    "environment_tampering",
    Severity::reject,
    "writes to `os.environ` (TRITON_*, LD_*, PYTHON* and names chosen at run time; others are warnings, reads are "
    "notes) and to `triton.knobs`",
    "they change the compiler, the interpreter or the judge instead of the kernel",
    "`os.environ.get(...)` (a note), `os.environ[\"CUDA_LAUNCH_BLOCKING\"] = \"1\"` (a warning), a dictionary named "
    "`environ`",
    check};

}  // namespace kbx::lint::rules
