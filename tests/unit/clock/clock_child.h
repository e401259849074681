// A kbx-clock on the fake driver, and tapes for it.
#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/json.h"
#include "clock/wire.h"
#include "model/clock_wire.h"
#include "model/device_tape.h"
#include "small_elf.h"

namespace kbx::clock {

inline const std::string kFake = KBX_BINARY_DIR "/tests/libfakecuda.so";

class ClockChild {
 public:
  explicit ClockChild(const std::string& fake = "", const std::string& nvrtc = kFake, const std::string& cuda = kFake) {
    int pair[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    fd_ = pair[0];
    std::string program = KBX_BINARY_DIR "/libexec/kbx-clock", setting = "KBX_FAKE=" + fake, library = "KBX_LIBCUDA=" + cuda;
    std::vector<std::string> args{program, "--card", "0", "--nvrtc", nvrtc};
    std::vector<char*> argv;
    for (auto& a : args) argv.push_back(a.data());
    argv.push_back(nullptr);
    char* env[] = {setting.data(), library.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (pair[1] == kClockFd) ::fcntl(pair[1], F_SETFD, 0);
    else posix_spawn_file_actions_adddup2(&actions, pair[1], kClockFd);
    EXPECT_EQ(::posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), env), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pair[1]);
    hello = next();
  }
  ~ClockChild() {
    close();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  Json next() {
    auto message = read_message(fd_);
    if (!message || !*message) return nullptr;
    blob = std::move((*message)->blob);
    return (*message)->head;
  }
  Json ask(const Json& command, const Bytes& data = {}) {
    EXPECT_TRUE(write_message(fd_, {command, data}));
    return next();
  }
  void send_raw(const std::string& bytes) { EXPECT_EQ(::write(fd_, bytes.data(), bytes.size()), ssize_t(bytes.size())); }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  // Exit code; -1 for a signal.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::vector<float> floats() const {
    std::vector<float> out(blob.size() / 4);
    if (!out.empty()) std::memcpy(out.data(), blob.data(), out.size() * 4);
    return out;
  }

  Json hello;
  Bytes blob;

 private:
  int fd_ = -1;
  pid_t pid_ = -1;
};

inline constexpr uint64_t kCandidateBase = 0x510000000000, kReferenceBase = 0x610000000000;
inline constexpr int64_t kCount = 1000;

// One launch of `kernel` from "input" to "result", both f32[kCount] in allocations of their own.
inline DeviceTape small_tape(const std::string& kernel, uint64_t base = kCandidateBase, std::vector<SectionWish> sections = {{".text", SHT_PROGBITS, 64}}) {
  DeviceTape t;
  t.base = base;
  t.bytes = 64 << 10;
  DeviceRange in{base + 512, kCount * 4}, out{base + (16 << 10), kCount * 4};
  t.images.push_back({DeviceImage::Kind::elf, DeviceImage::Via::module_data, "heap", small_elf(sections)});
  t.functions.push_back({0, kernel, -1, -1, -1, -1, {{0, 8}, {8, 8}, {16, 8}}});
  DeviceLaunch l;
  uint64_t arguments[3] = {in.at, out.at, uint64_t(kCount)};
  l.parameters.resize(sizeof arguments);
  std::memcpy(l.parameters.data(), arguments, sizeof arguments);
  t.entries.push_back(l);
  t.live = {in, out};
  t.inputs.push_back({"input", Dtype::f32, in, 0, {kCount}, {1}});
  t.outputs.push_back({"result", Dtype::f32, out, 0, {kCount}, {1}});
  return t;
}

inline Json load(ClockChild& c, const DeviceTape& tape, const char* side = "candidate") { return c.ask({{"do", "load"}, {"side", side}}, dump_device_tape(tape)); }
inline Json draw(ClockChild& c, int set, uint32_t key = 1) {
  Json one{{"name", "input"}, {"draw", {{"dist", "normal"}, {"params", {{"mean", 0}, {"std", 1}}}, {"dtype", "f32"}, {"count", kCount}, {"shape", {kCount}}, {"key", {key, 2}}, {"salt", 3}}}};
  return c.ask({{"do", "inputs"}, {"set", set}, {"inputs", Json::array({one})}});
}
inline Json verify(ClockChild& c, int set = 0) {
  return c.ask({{"do", "verify"}, {"set", set}, {"outputs", Json::array({{{"name", "result"}, {"rtol", 1e-6}}})}});
}
inline std::string fault_of(const Json& answer) { return get_string(answer, "fault").value_or("no fault: " + answer.dump()); }

}  // namespace kbx::clock
