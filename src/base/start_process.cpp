#include "base/start_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <cstring>

namespace kbx {
namespace {

constexpr int kTheirs = 3;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& w : words) out.push_back(w.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

Result<pid_t> start_process(ProcessStart start, Code code) {
  std::vector<char*> argv = pointers(start.words), envp;
  if (start.environment) envp = pointers(*start.environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  // A descriptor is not closed by exec once it was duplicated; one that is there already has to be told so.
  if (start.socket == kTheirs) ::fcntl(kTheirs, F_SETFD, 0);
  else if (start.socket >= 0) posix_spawn_file_actions_adddup2(&actions, start.socket, kTheirs);
  if (start.output) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, start.output->c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  posix_spawnattr_t attr;
  posix_spawnattr_init(&attr);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  int rc = ::posix_spawn(&pid, argv[0], &actions, &attr, argv.data(), start.environment ? envp.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attr);
  if (rc != 0) return fail(code, fmt::format("cannot start {}: {}", start.words[0], std::strerror(rc)));
  return pid;
}

}  // namespace kbx
