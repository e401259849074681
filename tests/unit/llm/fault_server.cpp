// Plain blocking sockets with a short receive timeout, so that every thread sees the end of the server.
#include "fault_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "base/fd.h"
#include "base/text.h"

namespace kbx::llm::faults {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(size_t(n));
  }
  return true;
}

bool peer_is_gone(int fd) {
  char c;
  ssize_t n = recv(fd, &c, 1, MSG_PEEK | MSG_DONTWAIT);
  return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

}  // namespace

struct FaultServer::State {
  Answer answer;
  Fd listener;
  int port = 0;
  std::atomic<bool> leave{false};
  std::thread acceptor;
  mutable std::mutex mutex;
  std::list<std::thread> threads;
  std::vector<Seen> seen;
  std::map<std::string, int> counts;
  int at_once = 0, most_at_once = 0;

  void accept_all();
  void serve(Fd fd);
  bool read_more(int fd, std::string& buffer) const;
  bool read_request(int fd, std::string& buffer, Seen& out) const;
  bool play(Fd& fd, const Script& script) const;
  bool pause(int fd, double seconds) const;
};

const std::string& Seen::header(const std::string& name) const {
  static const std::string kNone;
  for (const auto& [n, value] : headers)
    if (n == name) return value;
  return kNone;
}

bool FaultServer::State::read_more(int fd, std::string& buffer) const {
  while (!leave) {
    pollfd p{fd, POLLIN, 0};
    if (poll(&p, 1, 50) <= 0) continue;
    char bytes[16384];
    ssize_t n = recv(fd, bytes, sizeof bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    buffer.append(bytes, size_t(n));
    return true;
  }
  return false;
}

bool FaultServer::State::read_request(int fd, std::string& buffer, Seen& out) const {
  size_t end;
  while ((end = buffer.find("\r\n\r\n")) == buffer.npos)
    if (!read_more(fd, buffer)) return false;
  auto lines = split_lines(std::string_view(buffer).substr(0, end));
  auto words = split(lines[0], ' ');
  if (words.size() < 2) return false;
  out.method = words[0];
  out.target = words[1];
  out.place = out.target.substr(1, out.target.find('/', 1) - 1);
  for (size_t k = 1; k < lines.size(); k++) {
    size_t colon = lines[k].find(':');
    if (colon != lines[k].npos) out.headers.emplace_back(lower(lines[k].substr(0, colon)), trim(lines[k].substr(colon + 1)));
  }
  size_t length = size_t(std::atoll(out.header("content-length").c_str()));
  buffer.erase(0, end + 4);
  while (buffer.size() < length)
    if (!read_more(fd, buffer)) return false;
  out.body = buffer.substr(0, length);
  buffer.erase(0, length);
  return true;
}

// false: the peer or the server goes.
bool FaultServer::State::pause(int fd, double seconds) const {
  auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!leave && std::chrono::steady_clock::now() < until) {
    if (peer_is_gone(fd)) return false;
    std::this_thread::sleep_for(std::min<std::chrono::duration<double>>(std::chrono::milliseconds(10), until - std::chrono::steady_clock::now()));
  }
  return !leave;
}

bool FaultServer::State::play(Fd& fd, const Script& script) const {
  for (const Step& step : script) switch (step.kind) {
      case Step::Kind::send:
        if (!send_all(fd.get(), step.bytes)) return false;
        break;
      case Step::Kind::rest:
        if (!pause(fd.get(), step.seconds)) return false;
        break;
      case Step::Kind::repeat:
        while (send_all(fd.get(), step.bytes) && pause(fd.get(), step.seconds)) {
        }
        return false;
      case Step::Kind::close:
        shutdown(fd.get(), SHUT_WR);
        return false;
      case Step::Kind::reset: {
        linger hard{1, 0};
        setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        return false;
      }
    }
  return true;
}

void FaultServer::State::serve(Fd fd) {
  int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  std::string buffer;
  for (;;) {
    Seen request;
    if (!read_request(fd.get(), buffer, request)) return;
    {
      std::lock_guard lock(mutex);
      request.number = ++counts[request.place];
      seen.push_back(request);
      most_at_once = std::max(most_at_once, ++at_once);
    }
    bool open = play(fd, answer(request));
    {
      std::lock_guard lock(mutex);
      at_once--;
    }
    if (!open) return;
  }
}

void FaultServer::State::accept_all() {
  while (!leave) {
    pollfd p{listener.get(), POLLIN, 0};
    if (poll(&p, 1, 50) <= 0) continue;
    Fd fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!fd) continue;
    std::lock_guard lock(mutex);
    threads.emplace_back([this, own = std::move(fd)]() mutable { serve(std::move(own)); });
  }
}

Result<std::unique_ptr<FaultServer>> FaultServer::start(Answer answer, int port) {
  auto state = std::make_unique<State>();
  state->answer = std::move(answer);
  state->listener = Fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(state->listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(uint16_t(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (bind(state->listener.get(), generic, size) != 0 || listen(state->listener.get(), 1024) != 0 || getsockname(state->listener.get(), generic, &size) != 0)
    return fail_errno(Code::io, fmt::format("cannot listen on 127.0.0.1:{}", port));
  state->port = ntohs(address.sin_port);
  state->acceptor = std::thread([s = state.get()] { s->accept_all(); });
  return std::unique_ptr<FaultServer>(new FaultServer(std::move(state)));
}

FaultServer::FaultServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

FaultServer::~FaultServer() {
  state_->leave = true;
  state_->acceptor.join();
  for (std::thread& t : state_->threads) t.join();
}

int FaultServer::port() const { return state_->port; }
std::string FaultServer::url(const std::string& path) const { return fmt::format("http://127.0.0.1:{}/{}", state_->port, path); }
std::vector<Seen> FaultServer::seen() const {
  std::lock_guard lock(state_->mutex);
  return state_->seen;
}
void FaultServer::forget() {
  std::lock_guard lock(state_->mutex);
  state_->seen.clear();
}
int FaultServer::most_at_once() const {
  std::lock_guard lock(state_->mutex);
  return state_->most_at_once;
}

}  // namespace kbx::llm::faults
