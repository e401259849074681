#include "llm/key_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>  // explicit_bzero
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/fd.h"

extern char** environ;

namespace kbx::llm {
namespace {

constexpr size_t kMostBytes = 65536;

Result<pid_t> start(const std::string& command, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out, 1);
  const char* arguments[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t pid = 0;
  int error = posix_spawn(&pid, "/bin/sh", &actions, nullptr, const_cast<char**>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) return fail(Code::usage, fmt::format("could not be started: {}", strerror(error)));
  return pid;
}

// nullptr when it came to its end; else what went wrong.
const char* read_all(int fd, double seconds, std::string& out) {
  auto begin = Steady::now();
  for (char buffer[4096];;) {
    double left = seconds - seconds_since(begin);
    pollfd p{fd, POLLIN, 0};
    if (left <= 0) return "took too long";
    int ready = poll(&p, 1, int(std::min(left, 3600.0) * 1000) + 1);
    if (ready < 0 && errno != EINTR) return "could not be read";
    if (ready <= 0) continue;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      explicit_bzero(buffer, sizeof buffer);
      return n < 0 ? "could not be read" : nullptr;
    }
    out.append(buffer, size_t(n));
    if (out.size() > kMostBytes) return "printed more than a key";
  }
}

}  // namespace

Result<std::string> output_of(const std::string& command, double seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail_errno(Code::usage, "could not be started");
  Fd from(ends[0]), to(ends[1]);
  KBX_TRY_ASSIGN(pid_t pid, start(command, to.get()));
  to.reset();
  std::string out;
  const char* wrong = read_all(from.get(), seconds, out);
  if (wrong) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!wrong && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) wrong = "failed";
  if (!wrong) return out;
  explicit_bzero(out.data(), out.size());
  if (wrong == std::string_view("failed") && WIFEXITED(status)) return fail(Code::usage, fmt::format("failed with exit code {}", WEXITSTATUS(status)));
  return fail(Code::usage, wrong);
}

}  // namespace kbx::llm
