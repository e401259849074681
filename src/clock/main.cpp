// kbx-clock: the trusted process that plays tapes and has the clock. kbx-clock --card N [--nvrtc PATH] [--cache DIR];
// it speaks over file descriptor 3 until that is closed. Its end is _exit: a card that hangs must not hold up the
// driver's own clean-up.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "clock/session.h"
#include "model/clock_wire.h"

namespace kbx::clock {
namespace {

bool read_options(int argc, char** argv, Options& out) {
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::strcmp(argv[k], "--card") == 0) out.card = std::atoi(argv[k + 1]);
    else if (std::strcmp(argv[k], "--nvrtc") == 0) out.kernels.nvrtc = argv[k + 1];
    else if (std::strcmp(argv[k], "--cache") == 0) out.kernels.cache = argv[k + 1];
    else return false;
  }
  return argc % 2 == 1;
}

std::string hint_of(const Error& error) {
  if (error.message.find("NVRTC") != std::string::npos) return "torch's wheel for CUDA brings it (nvidia-cuda-nvrtc); name it with --nvrtc PATH";
  if (error.message.find("no CUDA driver") != std::string::npos) return "timing needs an NVIDIA driver, 525 or newer";
  return "";
}

int serve(const Options& options) {
  auto session = Session::open(options);
  if (!session) {
    Json fatal{{"fatal", {{"message", session.error().text()}, {"hint", hint_of(session.error())}}}};
    (void)write_message(kClockFd, {fatal, {}});
    return 1;
  }
  if (!write_message(kClockFd, {(*session)->hello(), {}})) return 2;
  for (;;) {
    auto command = read_message(kClockFd);
    if (!command) {
      (void)write_message(kClockFd, {{{"ok", false}, {"fault", "command"}, {"message", command.error().text()}}, {}});
      return 2;
    }
    if (!*command) _exit(0);  // the driver gives back what a process had
    bool dead = false;
    if (!write_message(kClockFd, (*session)->answer(**command, &dead))) return 2;
    if (dead) _exit(3);
  }
}

}  // namespace
}  // namespace kbx::clock

int main(int argc, char** argv) {
  kbx::clock::Options options;
  if (!kbx::clock::read_options(argc, argv, options)) {
    std::fputs("kbx-clock --card N [--nvrtc PATH] [--cache DIR], with a socket as file descriptor 3; started by kbx\n", stderr);
    return 2;
  }
  // Code is loaded when it is loaded, not at its first launch.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  _exit(kbx::clock::serve(options));
}
