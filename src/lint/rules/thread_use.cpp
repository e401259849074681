// thread_use: work on other threads.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"threading", Severity::warn, "can run work beside the judged call"},
    NamePattern{"threading.Lock", Severity::note, "is a lock"},
    NamePattern{"threading.RLock", Severity::note, "is a lock"},
    NamePattern{"threading.local", Severity::note, "is thread-local data"},
    NamePattern{"_thread", Severity::warn, "can run work beside the judged call"},
    NamePattern{"concurrent.futures", Severity::warn, "can run work beside the judged call"},
    NamePattern{"asyncio", Severity::warn, "can run work beside the judged call"},
    NamePattern{"queue", Severity::note, "passes data between threads"},
    NamePattern{"torch.jit.fork", Severity::warn, "runs work beside the judged call"},
    NamePattern{"torch.futures", Severity::warn, "runs work beside the judged call"},
    NamePattern{"sched", Severity::warn, "runs work later"},
    NamePattern{"greenlet", Severity::warn, "can run work beside the judged call"},
    NamePattern{"gevent", Severity::warn, "can run work beside the judged call"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule thread_use = {"thread_use",
                                   Severity::warn,
                                   "`threading`, `concurrent.futures`, `asyncio`, `_thread`",
                                   "work on another thread may end after the clock has stopped",
                                   "`threading.Lock` and `threading.local` (a note), a variable named `threads`",
                                   check};

}  // namespace kbx::lint::rules
