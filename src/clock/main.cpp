// kbx-clock: the trusted process that plays tapes and has the clock. kbx-clock --card N [--nvrtc PATH] [--cache DIR];
// it speaks over file descriptor 3 until that is closed. Its end is _exit: a card that hangs must not hold up the
// driver's own clean-up. Behind a tool (compute-sanitizer, ncu) it gets --connect PATH, the socket to speak over; it
// measures no floors then and leaves by exit, where the tool's library writes what it has.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
    else if (std::strcmp(argv[k], "--connect") == 0) out.connect = argv[k + 1];
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
    if (!*command && options.connect.empty()) _exit(0);  // the driver gives back what a process had
    if (!*command) return 0;
    bool dead = false;
    if (!write_message(kClockFd, (*session)->answer(**command, &dead))) return 2;
    if (dead && options.connect.empty()) _exit(3);
    if (dead) return 3;
  }
}

// Makes the socket at `path` the descriptor that it speaks over.
bool connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket < 0 || ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return false;
  return socket == kClockFd || ::dup2(socket, kClockFd) == kClockFd;
}

}  // namespace
}  // namespace kbx::clock

int main(int argc, char** argv) {
  kbx::clock::Options options;
  if (!kbx::clock::read_options(argc, argv, options)) {
    kbx::Json fatal{{"fatal", {{"message", "kbx-clock --card N [--nvrtc PATH] [--cache DIR]"}, {"hint", "it is started by kbx"}}}};
    (void)kbx::clock::write_message(kbx::kClockFd, {fatal, {}});
    return 2;
  }
  if (!options.connect.empty() && !kbx::clock::connect_to(options.connect)) {
    std::fprintf(stderr, "kbx-clock cannot connect to %s\n", options.connect.c_str());
    return 2;
  }
  // Code is loaded when it is loaded, not at its first launch.
  ::setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  int code = kbx::clock::serve(options);
  if (!options.connect.empty()) std::exit(code);
  _exit(code);
}
