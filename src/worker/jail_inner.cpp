// Jail, second half: host name, limits and capabilities of the process that will run the candidate.
#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/jail.h"
#include "worker/jail_calls.h"
#include "worker/jail_mounts.h"

namespace kbx::worker {
namespace {

constexpr unsigned kNobody = 65534;
JailFailure failure(JailStep step) { return {step, errno}; }

// What the machine already limits more stays as it is: only a privileged process could raise it.
bool limit(int what, uint64_t value, uint64_t hard) {
  if (value == 0) return true;
  rlimit now{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(static_cast<__rlimit_resource>(what), &now);
  const auto at_most = [&](uint64_t wished) { return wished < now.rlim_max ? static_cast<rlim_t>(wished) : now.rlim_max; };
  const rlimit r{at_most(value), at_most(hard)};
  return setrlimit(static_cast<__rlimit_resource>(what), &r) == 0;
}

JailFailure limits(const JailRequest& r) {
  const bool own_count = (r.flags & (kJailUser | kJailDropUid)) != 0;  // else it would count the user's other processes
  const bool ok = limit(RLIMIT_AS, r.address_bytes, r.address_bytes) &&
                  limit(RLIMIT_CPU, r.cpu_seconds, r.cpu_seconds + 1) &&
                  limit(RLIMIT_FSIZE, r.file_bytes, r.file_bytes) && limit(RLIMIT_NOFILE, 512, 512) &&
                  limit(RLIMIT_NPROC, own_count ? r.processes : 0, r.processes);
  return ok ? JailFailure{} : failure(JailStep::limits);
}

JailFailure drop_capabilities() {
  for (int cap = 0; cap <= 63; ++cap) prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) return failure(JailStep::capabilities);
  return {};
}

}  // namespace

JailFailure jail_inner(const JailRequest& r) {
  setsid();  // else a signal to its own group would reach the outer process, which alone may not be killed from inside
  if ((r.flags & kJailMount) && !mounts_before_drop(r)) {
    if (JailFailure f = arrange_mounts(r, getuid()); f.failed()) return f;
  }
  // Read-only: to a child that is still uid 0 the kernel would let it write /proc/sys, namespaces or not.
  const bool writes = (r.flags & kJailProcWrites) && ((r.flags & kJailDropUid) || getuid() != 0);
  const unsigned long proc = MS_NOSUID | MS_NODEV | MS_NOEXEC | (writes ? 0 : MS_RDONLY);
  if ((r.flags & kJailProc) && mount("proc", "/proc", "proc", proc, nullptr) != 0)
    return failure(JailStep::proc);
  if (chdir(r.folder) != 0) return failure(JailStep::folder);
  if ((r.flags & kJailUts) && sethostname("kbx", 3) != 0) return failure(JailStep::hostname);
  if ((r.flags & kJailDropUid) && !(r.flags & kJailUser)) {
    if (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
        setresuid(kNobody, kNobody, kNobody) != 0)
      return failure(JailStep::drop_uid);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  }
  umask(077);
  if (JailFailure f = limits(r); f.failed()) return f;
  if (JailFailure f = drop_capabilities(); f.failed()) return f;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure(JailStep::no_new_privs);
  if (r.flags & kJailCalls) {
    if (JailFailure f = refuse_calls(); f.failed()) return f;
  }
  // Last: a change of credentials clears it.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return failure(JailStep::parent_death);
  if (r.wall_seconds) alarm(static_cast<unsigned>(r.wall_seconds));
  return {};
}

const char* to_text(JailStep step) {
  switch (step) {
    case JailStep::none:
      return "none";
    case JailStep::descriptors:
      return "descriptors";
    case JailStep::drop_uid:
      return "drop uid";
    case JailStep::user_namespace:
      return "user namespace";
    case JailStep::id_maps:
      return "id maps";
    case JailStep::pid_namespace:
      return "pid namespace";
    case JailStep::net_namespace:
      return "net namespace";
    case JailStep::ipc_namespace:
      return "ipc namespace";
    case JailStep::mount_namespace:
      return "mount namespace";
    case JailStep::uts_namespace:
      return "uts namespace";
    case JailStep::private_mounts:
      return "private mounts";
    case JailStep::readonly:
      return "readonly";
    case JailStep::hide:
      return "hide";
    case JailStep::tmpfs:
      return "tmpfs";
    case JailStep::proc:
      return "mount /proc";
    case JailStep::folder:
      return "folder";
    case JailStep::hostname:
      return "hostname";
    case JailStep::limits:
      return "limits";
    case JailStep::capabilities:
      return "capabilities";
    case JailStep::no_new_privs:
      return "no_new_privs";
    case JailStep::calls:
      return "system calls";
    case JailStep::parent_death:
      return "parent death";
  }
  return "unknown";
}

}  // namespace kbx::worker
