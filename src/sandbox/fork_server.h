// ForkServer: the zygote process and everything forked from it. Thread-safe: jobs on several threads fork children;
// one reader thread distributes the zygote's packets. A dead zygote is restarted at the next fork.
#pragma once
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/result.h"
#include "sandbox/request.h"

namespace kbx::sandbox {

// Which python runs the zygote, and where kbx's worker files are.
struct PythonHome {
  std::string python;         // path of the interpreter
  std::string worker_folder;  // holds zygote.py
  std::string library;        // libkbxworker.so
  double start_seconds = 180;
  std::string cache_folder = {};  // where what depends on this machine is kept; empty: $XDG_CACHE_HOME/kbx or ~/.cache/kbx
};

// What the zygote said of itself.
struct ZygoteFacts {
  std::string python, torch, triton, numpy;
  std::map<std::string, bool> jail;   // user pid net ipc mount uts readonly
  std::vector<std::string> notes;
  std::vector<std::string> nvrtc, cupti;  // paths of these libraries, best first
  double start_seconds = 0;
};

struct ChildExit {
  int wait_status = 0;
  double user_seconds = 0, cpu_seconds = 0;
  int64_t max_rss_bytes = 0;
};

class ForkServer {
 public:
  static Result<std::unique_ptr<ForkServer>> start(PythonHome home);
  ~ForkServer();
  ForkServer(const ForkServer&) = delete;             // a thread refers to it
  ForkServer& operator=(const ForkServer&) = delete;

  ZygoteFacts facts() const;
  int restarts() const;
  pid_t zygote_pid() const;

  // Forks one child; the descriptors are duplicated into it (`kernels`: a KernelCache's, or -1). Returns its id.
  Result<int64_t> fork(Role role, const Limits& limits, bool jail, int socket, int arena, int output, int kernels = -1);
  void kill(int64_t id);
  // Waits until the child was reaped; nullopt when that did not happen by the deadline or the zygote died.
  std::optional<ChildExit> wait(int64_t id, Steady::time_point deadline);
  void forget(int64_t id);  // after the last wait

 private:
  struct Slot {
    bool forked = false, failed = false, exited = false;
    std::string problem;
    ChildExit exit;
  };
  explicit ForkServer(PythonHome home) : home_(std::move(home)) {}
  Result<void> launch();      // mutex held
  void read_loop(int socket);
  void handle(const Json& packet);

  PythonHome home_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int64_t, Slot> slots_;
  ZygoteFacts facts_;
  std::string fatal_;
  bool hello_ = false, alive_ = false, killed_ = false;
  pid_t pid_ = -1;
  Fd socket_;
  std::thread reader_;
  int64_t next_id_ = 1;
  int restarts_ = -1;
};

}  // namespace kbx::sandbox
