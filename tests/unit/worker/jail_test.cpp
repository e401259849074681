// The jail on this machine: every step that is refused has a name, and what was asked for happened.
#include "worker/jail.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <string>
#include <thread>

namespace kbx::worker {
namespace {

// Runs `body` in a forked child; returns the raw wait status.
int in_child(const std::function<int()>& body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

JailRequest request(const std::string& folder) {
  JailRequest r{};
  r.struct_size = sizeof r;
  r.socket_fd = r.arena_fd = r.output_fd = open("/dev/null", O_RDWR);
  r.error_fd = r.kernels_fd = -1;
  r.folder = folder.c_str();
  r.hide = r.keep = "";
  return r;
}

TEST(JailStep, EveryStepHasItsOwnWords) {
  for (int step = 0; step <= static_cast<int>(JailStep::parent_death); ++step) {
    EXPECT_STRNE(to_text(static_cast<JailStep>(step)), "unknown");
    for (int other = 0; other < step; ++other)
      EXPECT_STRNE(to_text(static_cast<JailStep>(step)), to_text(static_cast<JailStep>(other)));
  }
  EXPECT_STREQ(to_text(static_cast<JailStep>(999)), "unknown");
}

TEST(Jail, TheMemoryOfKernelsHasItsPlace) {
  const std::string folder = "/";
  const int status = in_child([&] {
    JailRequest r = request(folder);
    r.kernels_fd = dup2(open("/dev/zero", O_RDONLY), 5);  // stands where another one goes
    if (jail_outer(r).failed()) return 1;
    char byte = 1;
    return read(kChildKernelsFd, &byte, 1) == 1 && byte == 0 ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST(Jail, ClosesEverythingButTheWire) {
  const std::string folder = "/";
  const int status = in_child([&] {
    const int extra = dup2(open("/dev/null", O_RDONLY), 77);
    JailRequest r = request(folder);
    if (extra != 77 || jail_outer(r).failed()) return 1;
    for (int fd = 0; fd <= kChildArenaFd; ++fd)
      if (fcntl(fd, F_GETFD) < 0) return 2;
    if (fcntl(kChildErrorFd, F_GETFD) >= 0 || fcntl(kChildKernelsFd, F_GETFD) >= 0) return 3;  // none was given
    return fcntl(77, F_GETFD) < 0 && errno == EBADF ? 0 : 4;
  });
  EXPECT_EQ(status, 0);
}

TEST(Jail, DescriptorsMayStandInEachOthersPlaces) {
  const int status = in_child([] {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return 1;
    dup2(ends[1], 60);
    // The pipe's write end is the output and stands where the socket goes; the arena stands where the output goes.
    const int null_fd = open("/dev/null", O_RDWR);
    dup2(ends[0], 61);
    dup2(60, 3);
    dup2(null_fd, 1);
    const std::string folder = "/";
    JailRequest r = request(folder);
    r.output_fd = 3;
    r.socket_fd = 4;
    dup2(null_fd, 4);
    r.arena_fd = 1;
    const int keep = fcntl(61, F_GETFD);
    if (keep < 0 || jail_outer(r).failed()) return 2;
    return write(1, "x", 1) < 0 && errno == EPIPE ? 3 : 0;
  });
  // The read end was closed by the jail itself: writing raises SIGPIPE, which shows that fd 1 is the pipe.
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) << status;
}

TEST(Jail, LimitsAreSet) {
  const std::string folder = "/";
  const int status = in_child([&] {
    JailRequest r = request(folder);
    r.cpu_seconds = 7;
    r.file_bytes = 12345;
    r.address_bytes = uint64_t{1} << 40;
    if (jail_outer(r).failed() || jail_inner(r).failed()) return 1;
    rlimit limit{};
    getrlimit(RLIMIT_CPU, &limit);
    if (limit.rlim_cur != 7 || limit.rlim_max != 8) return 2;
    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur != 12345) return 3;
    getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_max == 0 ? 0 : 4;
  });
  EXPECT_EQ(status, 0);
}

TEST(Jail, RefusesCallsThatNothingNeedsAndLeavesTheRest) {
  const std::string folder = "/";
  const int status = in_child([&] {
    JailRequest r = request(folder);
    r.flags = kJailCalls;
    if (jail_outer(r).failed() || jail_inner(r).failed()) return 1;
    const auto refused = [](long call, long argument, int error) { return syscall(call, argument, 0, 0, 0, 0) == -1 && errno == error; };
    if (!refused(SYS_ptrace, PTRACE_TRACEME, EPERM)) return 2;
    if (!refused(SYS_keyctl, 0, EPERM) || !refused(SYS_bpf, 0, EPERM) || !refused(SYS_perf_event_open, 0, EPERM)) return 3;
    if (!refused(SYS_unshare, CLONE_NEWUSER, EPERM) || !refused(SYS_clone, CLONE_NEWUSER | SIGCHLD, EPERM)) return 4;
    if (!refused(SYS_clone3, 0, ENOSYS)) return 5;
    bool ran = false;
    std::thread([&] { ran = true; }).join();
    const pid_t pid = fork();
    if (pid == 0) _exit(7);
    int inner = 0;
    waitpid(pid, &inner, 0);
    return ran && WIFEXITED(inner) && WEXITSTATUS(inner) == 7 ? 0 : 6;
  });
  EXPECT_EQ(status, 0);
}

TEST(Jail, MissingFolderIsNamed) {
  const std::string folder = "/no/such/folder";
  const int status = in_child([&] {
    JailRequest r = request(folder);
    if (jail_outer(r).failed()) return 1;
    const JailFailure f = jail_inner(r);
    return f.step == JailStep::folder && f.error == ENOENT ? 0 : 2;
  });
  EXPECT_EQ(status, 0);
}

TEST(JailRepeat, RepeatsExitCodes) {
  const int status = in_child([] {
    const pid_t pid = fork();
    if (pid == 0) _exit(42);
    jail_repeat(pid);
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST(JailRepeat, RepeatsSignals) {
  for (const int number : {SIGKILL, SIGSEGV, SIGTERM}) {
    const int status = in_child([number] {
      const rlimit no_core{0, 0};
      setrlimit(RLIMIT_CORE, &no_core);
      const pid_t pid = fork();
      if (pid == 0) {
        signal(number, SIG_DFL);
        kill(getpid(), number);
        pause();
      }
      jail_repeat(pid);
      return 0;
    });
    ASSERT_TRUE(WIFSIGNALED(status)) << number;
    EXPECT_EQ(WTERMSIG(status), number);
  }
}

}  // namespace
}  // namespace kbx::worker
