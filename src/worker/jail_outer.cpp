// Jail, first half: session, descriptors, uid and namespaces; and the outer process of a PID namespace.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worker/jail.h"
#include "worker/jail_mounts.h"

namespace kbx::worker {
namespace {

constexpr unsigned kNobody = 65534;

JailFailure failure(JailStep step) { return {step, errno}; }

// Moves the descriptors to their fixed places and closes all others. They are first lifted out of the way: one may
// stand where another has to go.
JailFailure place_descriptors(const JailRequest& r) {
  const int null_fd = open("/dev/null", O_RDONLY);
  const int from[] = {null_fd, r.output_fd, r.output_fd, r.socket_fd, r.arena_fd, r.error_fd, r.kernels_fd};
  constexpr int kPlaces = sizeof from / sizeof from[0];
  int high[kPlaces];
  for (int k = 0; k < kPlaces; ++k) {
    high[k] = from[k] < 0 ? -1 : fcntl(from[k], F_DUPFD, 64);
    if (from[k] >= 0 && high[k] < 0) return failure(JailStep::descriptors);
  }
  for (int k = 0; k < kPlaces; ++k) {
    if (high[k] < 0)
      close(k);
    else if (dup2(high[k], k) < 0)
      return failure(JailStep::descriptors);
  }
  if (high[kChildErrorFd] >= 0) fcntl(kChildErrorFd, F_SETFD, FD_CLOEXEC);
  if (syscall(SYS_close_range, unsigned{kPlaces}, ~0u, 0u) != 0) {
    for (int fd = kPlaces; fd < 4096; ++fd) close(fd);
  }
  return {};
}

JailFailure drop_uid() {
  if (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
      setresuid(kNobody, kNobody, kNobody) != 0)
    return failure(JailStep::drop_uid);
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // a change of uid clears it, and with it the right to write /proc/self/uid_map
  return {};
}

bool write_file(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t size = static_cast<ssize_t>(strlen(text));
  const bool ok = write(fd, text, static_cast<size_t>(size)) == size;
  const int error = errno;
  close(fd);
  errno = error;
  return ok;
}

JailFailure user_namespace() {
  const unsigned uid = getuid();
  const unsigned gid = getgid();
  if (unshare(CLONE_NEWUSER) != 0) return failure(JailStep::user_namespace);
  char map[64];
  snprintf(map, sizeof map, "%u %u 1", uid, uid);
  if (!write_file("/proc/self/uid_map", map)) return failure(JailStep::id_maps);
  if (!write_file("/proc/self/setgroups", "deny")) return failure(JailStep::id_maps);
  snprintf(map, sizeof map, "%u %u 1", gid, gid);
  if (!write_file("/proc/self/gid_map", map)) return failure(JailStep::id_maps);
  return {};
}

}  // namespace

JailFailure jail_outer(const JailRequest& r) {
  setsid();  // its own process group: the zygote kills the group where there is no PID namespace
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // The memory limit holds for each process by itself, and a candidate may have many: where memory runs out, the kernel ends
  // these first, not kbx. Raising it needs no right; where /proc does not let us, it stays.
  write_file("/proc/self/oom_score_adj", "1000");
  if (JailFailure f = place_descriptors(r); f.failed()) return f;
  // Without a user namespace the namespaces below need root: then the uid is dropped at the end of jail_inner().
  if (mounts_before_drop(r)) {
    if (unshare(CLONE_NEWNS) != 0) return failure(JailStep::mount_namespace);
    if (JailFailure f = arrange_mounts(r, kNobody); f.failed()) return f;
  }
  if ((r.flags & kJailDropUid) && (r.flags & kJailUser)) {
    if (JailFailure f = drop_uid(); f.failed()) return f;
  }
  if (r.flags & kJailUser) {
    if (JailFailure f = user_namespace(); f.failed()) return f;
  }
  // One call each, so that a refusal has a name.
  const struct {
    uint32_t flag;
    int clone;
    JailStep step;
  } spaces[] = {{kJailPid, CLONE_NEWPID, JailStep::pid_namespace},
                {kJailNet, CLONE_NEWNET, JailStep::net_namespace},
                {kJailIpc, CLONE_NEWIPC, JailStep::ipc_namespace},
                {kJailMount, CLONE_NEWNS, JailStep::mount_namespace},
                {kJailUts, CLONE_NEWUTS, JailStep::uts_namespace}};
  for (const auto& space : spaces) {
    if ((r.flags & space.flag) && unshare(space.clone) != 0) return failure(space.step);
  }
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return failure(JailStep::parent_death);
  return {};
}

void jail_repeat(int pid) {
  for (int fd = 0; fd < 64; ++fd) close(fd);  // the socket must close when the inner process ends
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) _exit(127);
  }
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  signal(number, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_UNBLOCK, &all, nullptr);
  kill(getpid(), number);
  _exit(128 + number);
}

}  // namespace kbx::worker
