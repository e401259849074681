// The fault server (tests/llm/fault_server_main.cpp) in a process of its own, and what this process has used: for benchmarks
// of what asking costs.
#pragma once
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

extern char** environ;

namespace kbx::bench {

class ServerProcess {
 public:
  // Leaves the program when the server cannot be started.
  ServerProcess() {
    std::string path = (std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "tests" / "fault_server").string();
    int in[2], out[2];
    posix_spawn_file_actions_t actions;
    char* arguments[] = {path.data(), nullptr};
    bool piped = pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (!piped || posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments, environ) != 0) give_up();
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    input_ = in[1];
    FILE* lines = fdopen(out[0], "r");
    if (!lines || std::fscanf(lines, "%d", &port_) != 1) give_up();
    std::fclose(lines);
  }
  // It ends when its standard input does.
  ~ServerProcess() {
    close(input_);
    waitpid(pid_, nullptr, 0);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  int port() const { return port_; }
  // What was seen is kept for tests; here it would only fill memory.
  void forget() const { (void)!write(input_, "\n", 1); }

 private:
  [[noreturn]] static void give_up() {
    std::fprintf(stderr, "the fault server could not be started: build the target fault_server\n");
    std::exit(2);
  }
  pid_t pid_ = 0;
  int input_ = -1, port_ = 0;
};

// User and system time of all threads of this process; no child's.
inline double cpu_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  auto of = [](timeval t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return of(u.ru_utime) + of(u.ru_stime);
}
inline double peak_mib() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return double(u.ru_maxrss) / 1024;
}
inline double resident_mib() {
  FILE* file = std::fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  bool read = file && std::fscanf(file, "%ld %ld", &all, &resident) == 2;
  if (file) std::fclose(file);
  return read ? double(resident) * double(sysconf(_SC_PAGESIZE)) / (1 << 20) : 0;
}

}  // namespace kbx::bench
