#include "gpu/rendezvous.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

namespace kbx::gpu {

Result<Rendezvous> Rendezvous::make() {
  KBX_TRY_ASSIGN(PrivateFolder folder, PrivateFolder::make("kbx-clock"));
  std::string path = (folder.path() / "socket").string();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return fail(Code::sandbox, "the path of the temporary folder is too long for a socket: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener || ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(listener.get(), 1) != 0)
    return fail_errno(Code::sandbox, "cannot make the socket " + path);
  return Rendezvous(std::move(folder), std::move(listener), std::move(path));
}

Result<Fd> Rendezvous::accept(std::chrono::milliseconds wait) {
  pollfd p{listener_.get(), POLLIN, 0};
  if (::poll(&p, 1, int(wait.count())) <= 0) return Fd();
  Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket) return Fd();
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != ::geteuid())
    return fail(Code::sandbox, "another user's process connected to " + path_);
  return socket;
}

}  // namespace kbx::gpu
