// Theory of operation. A list of what is refused, not of what is allowed: the CUDA driver, ptxas, gcc and torch have to go
// on as they are, and nobody has a list of what they call. What stands here manages the machine, traces or inspects other
// processes, makes namespaces and mounts, or is a way into the kernel with a history of holes. Container runtimes refuse
// the same by default, and GPU work runs in them every day. ioctl, mmap and memory policies are untouched; so is
// pidfd_getfd, by which torch shares memory between the processes of several cards.
#include "worker/jail_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace kbx::worker {
namespace {

constexpr uint32_t kRefused[] = {
    // other processes
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, 440 /* process_madvise */, 448 /* process_mrelease */,
    // namespaces and mounts
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */,
    431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */,
    // the kernel's memory of users: keys outlive a process
    SYS_keyctl, SYS_add_key, SYS_request_key,
    // programs and rings in the kernel
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425, 426, 427 /* io_uring */, SYS_fanotify_init, SYS_open_by_handle_at,
    // the machine
    SYS_kexec_load,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog,
    SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime, SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};
constexpr uint32_t kClone3 = 435;  // its flags lie in memory, where a filter cannot look; libc then takes clone
constexpr uint32_t kSpaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;  // no filter is known for it
#endif
constexpr uint32_t kOtherWidth = 0x40000000;  // x32: the same calls under other numbers
constexpr uint32_t kNo = SECCOMP_RET_ERRNO | EPERM, kUnknown = SECCOMP_RET_ERRNO | ENOSYS;

constexpr int kCount = sizeof kRefused / sizeof kRefused[0];

// At most 2 kCount + 16 instructions.
struct Program {
  sock_filter code[2 * kCount + 16];
  unsigned short size = 0;

  void load(uint32_t at) { code[size++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at); }
  void answer(uint32_t what) { code[size++] = BPF_STMT(BPF_RET | BPF_K, what); }
  // Answers at once where the loaded word is, or has a bit of, `value`.
  void answer_if(unsigned short test, uint32_t value, uint32_t what) {
    code[size++] = BPF_JUMP(static_cast<unsigned short>(BPF_JMP | test | BPF_K), value, 0, 1);
    answer(what);
  }
};

void write_program(Program& p) {
  p.load(offsetof(seccomp_data, arch));
  p.code[p.size++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  p.answer(kUnknown);
  p.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  p.answer_if(BPF_JSET, kOtherWidth, kUnknown);
#endif
  for (const uint32_t call : kRefused) p.answer_if(BPF_JEQ, call, kNo);
  p.answer_if(BPF_JEQ, kClone3, kUnknown);
  p.code[p.size++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
  p.load(offsetof(seccomp_data, args));  // the flags' lower half
  p.answer_if(BPF_JSET, kSpaces, kNo);
  p.answer(SECCOMP_RET_ALLOW);
}

}  // namespace

JailFailure refuse_calls() {
  if (kArchitecture == 0) return {JailStep::calls, ENOSYS};
  Program program;
  write_program(program);
  sock_fprog filter{program.size, program.code};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0) return {JailStep::calls, errno};
  return {};
}

}  // namespace kbx::worker
