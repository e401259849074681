// introspection: no walk over frames, objects or modules of the judge.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"gc", Severity::warn, "gives access to the garbage collector"},
    NamePattern{"gc.*", Severity::reject, "walks the objects of the whole process"},
    NamePattern{"gc.collect", Severity::warn, "runs the garbage collector, which belongs to the judge"},
    NamePattern{"gc.disable", Severity::warn, "stops the garbage collector"},
    NamePattern{"gc.enable", Severity::warn, "starts the garbage collector"},
    NamePattern{"gc.freeze", Severity::warn, "changes the garbage collector"},
    NamePattern{"inspect", Severity::warn, "gives access to frames and source"},
    NamePattern{"inspect.*", Severity::reject, "looks into frames or source of the running process"},
    NamePattern{"inspect.signature", Severity::warn, "looks into a function"},
    NamePattern{"inspect.Parameter", Severity::warn, "looks into a function"},
    NamePattern{"inspect.isfunction", Severity::warn, "looks into a function"},
    NamePattern{"inspect.isclass", Severity::warn, "looks into a class"},
    NamePattern{"inspect.getfullargspec", Severity::warn, "looks into a function"},
    NamePattern{"sys.modules", Severity::reject, "reaches every loaded module, the judge's too"},
    NamePattern{"sys._getframe", Severity::reject, "walks the stack of the caller"},
    NamePattern{"sys._current_frames", Severity::reject, "walks the stacks of all threads"},
    NamePattern{"sys._current_exceptions", Severity::reject, "walks the stacks of all threads"},
    NamePattern{"sys._getframemodulename", Severity::reject, "walks the stack of the caller"},
    NamePattern{"sys.settrace", Severity::reject, "hooks every call"},
    NamePattern{"sys.setprofile", Severity::reject, "hooks every call"},
    NamePattern{"sys.addaudithook", Severity::reject, "hooks the interpreter"},
    NamePattern{"sys.monitoring", Severity::reject, "hooks every call"},
    NamePattern{"sys.excepthook", Severity::warn, "reads the hook for errors"},
    NamePattern{"threading.settrace", Severity::reject, "hooks every call"},
    NamePattern{"threading.setprofile", Severity::reject, "hooks every call"},
    NamePattern{"traceback.walk_stack", Severity::reject, "walks the stack of the caller"},
    NamePattern{"traceback.extract_stack", Severity::reject, "walks the stack of the caller"},
    NamePattern{"traceback.walk_tb", Severity::reject, "walks stack frames"},
    NamePattern{"traceback.StackSummary", Severity::reject, "walks stack frames"},
    NamePattern{"tracemalloc", Severity::reject, "looks at the process's memory"},
    NamePattern{"pdb", Severity::reject, "is a debugger"},
    NamePattern{"bdb", Severity::reject, "is a debugger"},
    NamePattern{"dis", Severity::warn, "looks into byte code"},
    NamePattern{"weakref.getweakrefs", Severity::warn, "finds objects of others"},
    NamePattern{"builtins.breakpoint", Severity::reject, "starts a debugger"},
    NamePattern{"sys.argv", Severity::note, "reads how the judge was started"},
    NamePattern{"sys.orig_argv", Severity::reject, "reads how the judge was started"},
    NamePattern{"__main__", Severity::reject, "is the judge's own module"},
    NamePattern{"torch.utils._python_dispatch._get_current_dispatch_mode_stack", Severity::reject,
                "reads the judge's own hooks"},
    NamePattern{"torch._C._get_torch_dispatch_stack_at", Severity::reject, "reads the judge's own hooks"},
    NamePattern{"torch.utils._python_dispatch._get_current_dispatch_mode", Severity::reject,
                "reads the judge's own hooks"},
    NamePattern{"torch.utils._python_dispatch._disable_current_modes", Severity::reject,
                "switches the judge's own hooks off"},
    NamePattern{"torch.utils._python_dispatch._pop_mode", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch.utils._python_dispatch._pop_mode_temporarily", Severity::reject,
                "switches the judge's own hooks off"},
    NamePattern{"torch._C._pop_torch_dispatch_stack", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C._unset_dispatch_mode", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C._DisableTorchDispatch", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C._ExcludeDispatchKeyGuard", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C._ForceDispatchKeyGuard", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C._PreserveDispatchKeyGuard", Severity::reject, "switches the judge's own hooks off"},
    NamePattern{"torch._C.TensorBase", Severity::reject, "passes by what the judge watches of tensors"},
    NamePattern{"torch._C._TensorBase", Severity::reject, "passes by what the judge watches of tensors"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule introspection = {
    "introspection",
    Severity::reject,
    "`gc` object lists, `inspect`, stack frames, `sys.modules`, trace and audit hooks",
    "they reach the judge's own objects in the same process: its functions, clocks and expected values",
    "`gc.collect()` (a warning), `inspect.signature` (a warning), `sys.version_info`, `traceback.print_exc()`",
    check};

}  // namespace kbx::lint::rules
