// exec_eval: code that is not in the text.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr std::string_view kRuns = "runs code that is not in the text";
constexpr std::string_view kLoads = "makes objects, and so code, from bytes";

constexpr NamePattern kNames[] = {
    {"builtins.exec", Severity::reject, kRuns},
    {"builtins.eval", Severity::reject, kRuns},
    {"builtins.compile", Severity::reject, kRuns},
    {"builtins.__build_class__", Severity::reject, kRuns},
    {"code", Severity::reject, kRuns},
    {"codeop", Severity::reject, kRuns},
    {"runpy", Severity::reject, kRuns},
    {"types.CodeType", Severity::reject, kRuns},
    {"types.FunctionType", Severity::reject, "makes functions from code objects"},
    {"types.LambdaType", Severity::reject, "makes functions from code objects"},
    {"marshal", Severity::reject, kLoads},
    {"dill", Severity::reject, kLoads},
    {"cloudpickle", Severity::reject, kLoads},
    {"pickle", Severity::warn, kLoads},
    {"pickle.loads", Severity::reject, kLoads},
    {"pickle.load", Severity::reject, kLoads},
    {"pickle.Unpickler", Severity::reject, kLoads},
    {"copyreg", Severity::warn, kLoads},
    {"base64", Severity::warn, "can hide text from a reader"},
    {"codecs", Severity::warn, "can hide text from a reader"},
    {"zlib", Severity::warn, "can hide text from a reader"},
    {"timeit.timeit", Severity::reject, kRuns},
    {"cProfile.run", Severity::reject, kRuns},
    {"triton.runtime.JITFunction.__init__", Severity::reject, kRuns},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule exec_eval = {"exec_eval",
                                  Severity::reject,
                                  "`exec`, `eval`, the builtin `compile`, code objects, `marshal`, unpickling, under "
                                  "any alias; decoders such as base64 as a warning",
                                  "code that is not in the text cannot be checked",
                                  "`model.eval()`, `self.compile(x)`, `re.compile`, `ast.literal_eval`, a variable "
                                  "`exec_time`, a function of one's own named `compile`",
                                  check};

}  // namespace kbx::lint::rules
