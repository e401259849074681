// Programs that are started with a socket: what they inherit, and what is said of those that are not there.
#include "base/start_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/fd.h"
#include "base/files.h"

namespace kbx {
namespace {

struct Pair {
  Fd ours, theirs;
};
Pair make_pair() {
  int fds[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  return {Fd(fds[0]), Fd(fds[1])};
}

// What the child writes to its descriptor 3, to the end.
std::string said(Pair pair, ProcessStart start) {
  start.socket = pair.theirs.get();
  auto pid = start_process(std::move(start), Code::sandbox);
  EXPECT_TRUE(pid);
  pair.theirs.reset();
  std::string out;
  char buffer[256];
  for (ssize_t n = 0; (n = ::read(pair.ours.get(), buffer, sizeof buffer)) > 0;) out.append(buffer, size_t(n));
  ::waitpid(*pid, nullptr, 0);
  return out;
}

TEST(StartProcess, TheSocketIsDescriptorThreeAndTheGroupItsOwn) {
  std::string out = said(make_pair(), {{"/bin/sh", "-c", "read line; echo \"$? $A $(ps -o pgid= -p $$ | tr -d ' ') $$\" >&3"}, std::vector<std::string>{"A=b", "PATH=/usr/bin:/bin"}, -1, std::nullopt});
  ASSERT_EQ(out.substr(0, 4), "1 b ");  // no input; no environment but the one that was given
  std::string group = out.substr(4, out.find(' ', 4) - 4);
  if (!group.empty()) EXPECT_EQ(out, "1 b " + group + " " + group + "\n");  // no ps on this machine: nothing to say
}

TEST(StartProcess, ADescriptorThatIsThreeAlreadyIsKept) {
  Fd before(::fcntl(3, F_DUPFD_CLOEXEC, 50));  // somebody may hold it
  Pair pair = make_pair();
  pair.ours = Fd(::fcntl(pair.ours.get(), F_DUPFD_CLOEXEC, 50));  // it may be 3 itself
  pair.theirs = Fd(::fcntl(pair.theirs.get(), F_DUPFD_CLOEXEC, 50));
  ASSERT_EQ(::dup3(pair.theirs.get(), 3, O_CLOEXEC), 3);
  pair.theirs = Fd(3);
  EXPECT_EQ(said(std::move(pair), {{"/bin/sh", "-c", "echo x >&3"}, std::nullopt, -1, std::nullopt}), "x\n");
  if (before) ::dup2(before.get(), 3);
}

TEST(StartProcess, OutputGoesToTheFile) {
  auto file = std::filesystem::temp_directory_path() / ("kbx_output_" + std::to_string(::getpid()));
  said(make_pair(), {{"/bin/sh", "-c", "echo a; echo b >&2"}, std::nullopt, -1, file.string()});
  EXPECT_EQ(read_file(file.string()).value_or(""), "a\nb\n");
  std::filesystem::remove(file);
}

TEST(StartProcess, AProgramThatIsNotThereIsNamed) {
  auto pid = start_process({{"/no/such/program"}, std::nullopt, -1, std::nullopt}, Code::python);
  ASSERT_FALSE(pid);
  EXPECT_EQ(pid.error().code, Code::python);
  EXPECT_NE(pid.error().message.find("/no/such/program"), std::string::npos);
}

}  // namespace
}  // namespace kbx
