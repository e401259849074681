// process_use: no other processes.
#include "lint/name_rule.h"
#include "lint/rules.h"

namespace kbx::lint::rules {
namespace {

constexpr NamePattern kNames[] = {
    NamePattern{"subprocess", Severity::reject, "starts a process"},
    NamePattern{"multiprocessing", Severity::reject, "starts a process"},
    NamePattern{"multiprocessing.cpu_count", std::nullopt, ""},
    NamePattern{"pty", Severity::reject, "starts a process"},
    NamePattern{"pexpect", Severity::reject, "starts a process"},
    NamePattern{"sh", Severity::reject, "starts a process"},
    NamePattern{"psutil", Severity::reject, "looks at other processes"},
    NamePattern{"concurrent.futures.ProcessPoolExecutor", Severity::reject, "starts a process"},
    NamePattern{"concurrent.futures.process", Severity::reject, "starts a process"},
    NamePattern{"asyncio.create_subprocess_exec", Severity::reject, "starts a process"},
    NamePattern{"asyncio.create_subprocess_shell", Severity::reject, "starts a process"},
    NamePattern{"os.ptrace", Severity::reject, "starts a process"},
    NamePattern{"resource", Severity::warn, "reads or changes the limits of the process"},
    NamePattern{"joblib", Severity::reject, "starts a process"},
    NamePattern{"os.system", Severity::reject, "starts a process"},
    NamePattern{"os.popen", Severity::reject, "starts a process"},
    NamePattern{"os.fork", Severity::reject, "starts a process"},
    NamePattern{"os.forkpty", Severity::reject, "starts a process"},
    NamePattern{"os.spawnl", Severity::reject, "starts a process"},
    NamePattern{"os.spawnle", Severity::reject, "starts a process"},
    NamePattern{"os.spawnlp", Severity::reject, "starts a process"},
    NamePattern{"os.spawnlpe", Severity::reject, "starts a process"},
    NamePattern{"os.spawnv", Severity::reject, "starts a process"},
    NamePattern{"os.spawnve", Severity::reject, "starts a process"},
    NamePattern{"os.spawnvp", Severity::reject, "starts a process"},
    NamePattern{"os.spawnvpe", Severity::reject, "starts a process"},
    NamePattern{"os.execl", Severity::reject, "starts a process"},
    NamePattern{"os.execle", Severity::reject, "starts a process"},
    NamePattern{"os.execlp", Severity::reject, "starts a process"},
    NamePattern{"os.execlpe", Severity::reject, "starts a process"},
    NamePattern{"os.execv", Severity::reject, "starts a process"},
    NamePattern{"os.execve", Severity::reject, "starts a process"},
    NamePattern{"os.execvp", Severity::reject, "starts a process"},
    NamePattern{"os.execvpe", Severity::reject, "starts a process"},
    NamePattern{"os.posix_spawn", Severity::reject, "starts a process"},
    NamePattern{"os.posix_spawnp", Severity::reject, "starts a process"},
    NamePattern{"os.startfile", Severity::reject, "starts a process"},
    NamePattern{"os.nice", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setuid", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setgid", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setsid", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setpriority", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.sched_setaffinity", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.sched_setscheduler", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setpgid", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.chroot", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.unshare", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.setns", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.pidfd_open", Severity::reject, "changes what the process may do or be"},
    NamePattern{"os.process_vm_readv", Severity::reject, "changes what the process may do or be"},
};

void check(const Context& context, Report& report) { check_names(context, report, kNames); }

}  // namespace

constinit const Rule process_use = {
    "process_use",
    Severity::reject,
    "starting, forking or signalling processes: `subprocess`, `os.system`, `os.fork`, `os.exec*`, `multiprocessing`, "
    "`pty`",
    "work in another process escapes the limits, the clock and the record",
    "`os.cpu_count()`, `multiprocessing.cpu_count()`, `import os` alone, a method named `system`",
    check};

}  // namespace kbx::lint::rules
