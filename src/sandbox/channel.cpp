#include "sandbox/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text.h"

namespace kbx::sandbox {

void OutputTail::add(const char* data, size_t size) {
  total_ += int64_t(size);
  size_t half = size_t(keep_ / 2);
  if (head_.size() < half) {
    size_t n = std::min(half - head_.size(), size);
    head_.append(data, n);
    data += n;
    size -= n;
  }
  tail_.append(data, size);
  if (tail_.size() > 4 * half + 4096) tail_.erase(0, tail_.size() - half);
}

std::string OutputTail::text() const {
  size_t half = size_t(keep_ / 2);
  std::string_view tail = tail_;
  if (tail.size() > half) tail.remove_prefix(tail.size() - half);
  int64_t cut = total_ - int64_t(head_.size() + tail.size());
  return clean_utf8(head_ + (cut > 0 ? fmt::format("\n... {} bytes cut ...\n", cut) : "") + std::string(tail));
}

Channel::Channel(Fd socket, Fd output, int64_t keep) : socket_(std::move(socket)), pipe_(std::move(output)), output_(keep) {
  for (int fd : {socket_.get(), pipe_.get()}) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void Channel::drain() {
  char buffer[1 << 16];
  for (int k = 0; pipe_ && k < 64; k++) {
    ssize_t n = ::read(pipe_.get(), buffer, sizeof buffer);
    if (n > 0) output_.add(buffer, size_t(n));
    else if (n == 0) pipe_.reset();
    else if (errno != EINTR) return;
  }
}

// Later than this after its time, a sleeper was not woken for want of a processor.
constexpr auto kLate = std::chrono::milliseconds(500);

Channel::Ready Channel::wait(short events, Steady::time_point& deadline) {
  auto seen = Steady::now();
  auto asleep = std::chrono::milliseconds(0);
  for (;;) {
    // While kbx itself did not run (a stopped process, a paused machine), nobody else may have: that time is nobody's.
    auto now = Steady::now();
    if (auto late = now - seen - asleep; late > kLate) deadline += late + asleep;
    seen = now;
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - now).count();
    if (left <= 0) return Ready::timeout;
    pollfd fds[2] = {{socket_.get(), events, 0}, {pipe_.get(), POLLIN, 0}};
    asleep = std::chrono::milliseconds(std::min<int64_t>(left + 1, 200));
    int n = ::poll(fds, pipe_ ? 2 : 1, int(asleep.count()));
    if (n < 0 && errno != EINTR) return Ready::closed;
    if (n <= 0) continue;
    if (pipe_ && fds[1].revents) drain();
    if (fds[0].revents & events) return Ready::socket;
    if (fds[0].revents & (POLLERR | POLLHUP | POLLNVAL)) return Ready::closed;
  }
}

bool Channel::send(worker::FrameType type, const Json& payload, Steady::time_point deadline) {
  std::string text = dump_json(payload);
  worker::FrameHeader header{{}, worker::kProtocol, uint16_t(type), uint32_t(text.size()), ++sequence_};
  std::memcpy(header.magic, worker::kMagic, sizeof header.magic);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += text;
  std::string_view left = bytes;
  while (!left.empty()) {
    ssize_t n = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (n > 0) left.remove_prefix(size_t(n));
    else if (n < 0 && errno == EINTR) continue;
    else if (n < 0 && errno == EAGAIN) {
      if (wait(POLLOUT, deadline) != Ready::socket) return false;
    } else return false;
  }
  return true;
}

Channel::Answer Channel::read_exactly(char* to, size_t size, Steady::time_point& deadline) {
  while (size > 0) {
    ssize_t n = ::recv(socket_.get(), to, size, 0);
    if (n > 0) {
      to += n;
      size -= size_t(n);
    } else if (n == 0) return Answer::closed;
    else if (errno == EINTR) continue;
    else if (errno != EAGAIN) return Answer::closed;
    else if (Ready r = wait(POLLIN, deadline); r != Ready::socket) return r == Ready::timeout ? Answer::timeout : Answer::closed;
  }
  return Answer::frame;
}

Channel::Received Channel::receive(Steady::time_point deadline) {
  Received out;
  worker::FrameHeader header{};
  out.answer = read_exactly(reinterpret_cast<char*>(&header), sizeof header, deadline);
  if (out.answer != Answer::frame) return out;
  auto babble = [&](std::string why) {
    out.answer = Answer::babble;
    out.problem = std::move(why);
    return out;
  };
  if (std::memcmp(header.magic, worker::kMagic, sizeof header.magic) != 0 || header.version != worker::kProtocol) return babble("a frame without kbx's header");
  if (header.length > worker::kMaxFrameBytes) return babble(fmt::format("a frame of {} bytes", header.length));
  if (header.sequence != sequence_) return babble("a frame with a foreign sequence number");
  std::string text(header.length, '\0');
  out.answer = read_exactly(text.data(), text.size(), deadline);
  if (out.answer != Answer::frame) return out;
  auto payload = parse_json(text);
  if (!payload) return babble(payload.error().message);
  out.type = worker::FrameType(header.type);
  out.payload = std::move(*payload);
  return out;
}

}  // namespace kbx::sandbox
