// Jail: what a child does to itself before it reads its first frame. Called through ctypes in a process that the zygote
// forked, so: raw system calls, no allocation, no exceptions, no output; a failure is {step, errno} and the parent
// makes the sentence. docs/nogpu.md tells the order of events.
//
// Linux only. Every namespace is optional (`flags`); the zygote probes once which of them this machine permits. What a
// flag asks for either happens or the call fails: nothing is left out silently.
#pragma once
#include <cstdint>

namespace kbx::worker {

enum JailFlags : uint32_t {
  kJailUser = 1,  // new user namespace (maps the caller's own ids)
  kJailPid = 2,   // new PID namespace: takes effect with the caller's next fork
  kJailNet = 4,   // no network, not even loopback
  kJailIpc = 8,
  kJailMount = 16,  // new mount namespace with a private tmpfs over `folder`
  kJailUts = 32,
  kJailReadonly = 64,  // everything else read-only (needs kJailMount, Linux 5.12)
  kJailProc = 128,     // /proc remounted (needs kJailMount and kJailPid)
  kJailDropUid = 256,  // become uid and gid 65534 (needs to be root)
  kJailHide = 512,     // empty tmpfs over each path of `hide` (needs kJailMount)
  kJailProcWrites = 1024,  // /proc writable, for the CUDA driver (with kJailProc, and only where the child is not uid 0)
  kJailCalls = 2048,       // system calls that nothing in a child needs are refused (jail_calls.cpp)
};

// Descriptors of a child after jail_outer(); everything else is closed.
inline constexpr int kChildSocketFd = 3;
inline constexpr int kChildArenaFd = 4;
inline constexpr int kChildErrorFd = 5;
inline constexpr int kChildKernelsFd = 6;

struct JailRequest {
  uint32_t struct_size;
  uint32_t flags;
  int32_t socket_fd, arena_fd, output_fd, error_fd;  // output_fd becomes stdout and stderr; error_fd may be -1
  int32_t kernels_fd;                                // the memory of compiled kernels, or -1
  int32_t reserved;
  uint64_t address_bytes;                            // RLIMIT_AS; 0 = none, so with the next four
  uint64_t cpu_seconds;
  uint64_t wall_seconds;  // alarm
  uint64_t processes;     // RLIMIT_NPROC, where this child has its own count of them
  uint64_t file_bytes;    // RLIMIT_FSIZE
  uint64_t tmpfs_bytes;   // size of the private tmpfs
  const char* folder;     // becomes HOME, TMPDIR, cwd
  const char* hide;       // paths separated by ':'; missing ones are skipped
  const char* keep;       // paths separated by ':', each below one of `hide`: shown again where they were
};

enum class JailStep : int32_t {
  none,
  descriptors,
  drop_uid,
  user_namespace,
  id_maps,
  pid_namespace,
  net_namespace,
  ipc_namespace,
  mount_namespace,
  uts_namespace,
  private_mounts,
  readonly,
  hide,
  tmpfs,
  proc,
  folder,
  hostname,
  limits,
  capabilities,
  no_new_privs,
  calls,
  parent_death
};

const char* to_text(JailStep step);

struct JailFailure {
  JailStep step = JailStep::none;
  int error = 0;  // errno
  bool failed() const { return step != JailStep::none; }
};

// First half, in the forked process: session, descriptors, uid, namespaces. The caller then forks when it asked for
// kJailPid.
JailFailure jail_outer(const JailRequest& request);
// Second half, in the process that will run the candidate: mounts, host name, limits, capabilities, alarm.
JailFailure jail_inner(const JailRequest& request);
// In the outer process of a PID namespace: waits for `pid`, then ends as it did (same exit code or same signal).
[[noreturn]] void jail_repeat(int pid);

}  // namespace kbx::worker
