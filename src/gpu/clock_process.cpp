#include "gpu/clock_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cstring>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "base/start_process.h"
#include "base/text.h"
#include "model/clock_wire.h"

namespace kbx::gpu {
namespace {

constexpr size_t kMaxWords = 2000;  // of a sentence that it says

std::string words(const Json& j, const char* key) { return clean_utf8(get_string(j, key).value_or(""), kMaxWords); }

Card card_of(const Json& device, int index) {
  Card c;
  c.index = index;
  c.name = words(device, "name");
  c.uuid = words(device, "uuid");
  c.pci = words(device, "pci");
  c.driver = words(device, "driver");
  c.cc = int(get_int(device, "cc").value_or(0));
  c.sms = int(get_int(device, "sms").value_or(0));
  c.l2_bytes = get_int(device, "l2_bytes").value_or(0);
  c.memory_bytes = get_int(device, "memory_bytes").value_or(0);
  c.cards = int(get_int(device, "cards").value_or(1));
  return c;
}

}  // namespace

bool ClockProcess::Answer::ok() const { return get_bool(head, "ok").value_or(false); }
std::string ClockProcess::Answer::fault() const { return ok() ? "" : get_string(head, "fault").value_or("unknown"); }
std::string ClockProcess::Answer::message() const { return words(head, "message"); }

Result<std::unique_ptr<ClockProcess>> ClockProcess::start(const ClockHome& home, int card) {
  std::vector<std::string> args = home.wrap;
  args.insert(args.end(), {home.program, "--card", std::to_string(card)});
  if (!home.nvrtc.empty()) args.insert(args.end(), {"--nvrtc", home.nvrtc});
  if (!home.cache.empty()) args.insert(args.end(), {"--cache", home.cache});
  std::unique_ptr<ClockProcess> process;
  Fd theirs;
  if (home.wrap.empty()) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return fail_errno(Code::sandbox, "cannot make a socket pair");
    process.reset(new ClockProcess(Fd(pair[0]), card));
    theirs.reset(pair[1]);
    ::fcntl(pair[0], F_SETFL, O_NONBLOCK);
  } else {
    KBX_TRY_ASSIGN(Rendezvous meeting, Rendezvous::make());
    args.insert(args.end(), {"--connect", meeting.path()});
    process.reset(new ClockProcess(std::move(meeting), card));
  }
  // What it has to say comes over the socket. Kernels print to its output: an assertion of a library, one line a thread.
  std::string output = home.wrap_output.empty() ? "/dev/null" : home.wrap_output;
  KBX_TRY_ASSIGN(process->pid_, start_process({std::move(args), std::nullopt, theirs.get(), output}, Code::sandbox));
  return process;
}

ClockProcess::~ClockProcess() { close(); }

void ClockProcess::close() {
  socket_.reset();
  if (pid_ < 0) return;
  ::kill(meeting_ ? -pid_ : pid_, SIGKILL);  // a tool's group: it and what it started
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

bool ClockProcess::finish(double seconds) {
  socket_.reset();
  auto deadline = after(seconds);
  while (pid_ >= 0 && Steady::now() < deadline) {
    if (::waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = -1;
    else std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  bool left = pid_ < 0;
  close();
  return left;
}

// A tool takes its time, and may end without starting anything.
Result<void> ClockProcess::connect(Steady::time_point deadline) {
  while (!socket_) {
    if (Steady::now() > deadline) return fail(Code::sandbox, fmt::format("the clock on card {} did not come up in time behind its tool", card_));
    KBX_TRY_ASSIGN(socket_, meeting_->accept(std::chrono::milliseconds(50)));
    if (socket_ || ::waitpid(pid_, nullptr, WNOHANG) != pid_) continue;
    pid_ = -1;
    return fail(Code::sandbox, fmt::format("the tool in front of the clock on card {} ended at once", card_));
  }
  return {};
}

Result<void> ClockProcess::move_bytes(char* data, size_t size, bool writing, Steady::time_point deadline) {
  while (size > 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Steady::now()).count();
    pollfd p{socket_.get(), short(writing ? POLLOUT : POLLIN), 0};
    int n = left > 0 ? ::poll(&p, 1, int(left)) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(Code::sandbox, fmt::format("the clock on card {} did not answer in time", card_));
    ssize_t moved = writing ? ::send(socket_.get(), data, size, MSG_NOSIGNAL) : ::recv(socket_.get(), data, size, 0);
    if (moved < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (moved <= 0) return fail(Code::sandbox, fmt::format("the clock on card {} ended", card_));
    data += moved;
    size -= size_t(moved);
  }
  return {};
}

Result<void> ClockProcess::send(const Json& command, const Bytes& blob, Steady::time_point deadline) {
  std::string text = dump_json(command);
  ClockHeader header{};
  std::memcpy(header.magic, kClockMagic, sizeof header.magic);
  header.json_bytes = uint32_t(text.size());
  header.blob_bytes = blob.size();
  KBX_TRY(move_bytes(reinterpret_cast<char*>(&header), sizeof header, true, deadline));
  KBX_TRY(move_bytes(text.data(), text.size(), true, deadline));
  return move_bytes(reinterpret_cast<char*>(const_cast<std::byte*>(blob.data())), blob.size(), true, deadline);
}

Result<ClockProcess::Answer> ClockProcess::receive(Steady::time_point deadline) {
  ClockHeader header{};
  KBX_TRY(move_bytes(reinterpret_cast<char*>(&header), sizeof header, false, deadline));
  if (std::memcmp(header.magic, kClockMagic, sizeof header.magic) != 0 || header.json_bytes > kMaxClockJson || header.blob_bytes > kMaxClockBlob)
    return fail(Code::sandbox, fmt::format("the clock on card {} broke its protocol", card_));
  std::string text(header.json_bytes, '\0');
  KBX_TRY(move_bytes(text.data(), text.size(), false, deadline));
  Answer answer;
  answer.blob.resize(header.blob_bytes);
  KBX_TRY(move_bytes(reinterpret_cast<char*>(answer.blob.data()), answer.blob.size(), false, deadline));
  auto head = parse_json(text);
  if (!head) return fail(Code::sandbox, fmt::format("the clock on card {} broke its protocol: {}", card_, head.error().message));
  answer.head = std::move(*head);
  return answer;
}

Result<Card> ClockProcess::ready(double seconds) {
  if (greeted_) return facts_;
  auto deadline = after(seconds);
  if (meeting_ && pid_ >= 0) KBX_TRY(connect(deadline));
  if (!socket_) return fail(Code::sandbox, fmt::format("the clock on card {} is gone", card_));
  auto first = receive(deadline);
  if (!first) {
    close();
    return tl::unexpected(with_context(std::move(first.error()), "while it got ready"));
  }
  if (const Json& fatal = get(first->head, "fatal"); fatal.is_object()) {
    close();
    std::string hint = words(fatal, "hint");
    return fail(Code::sandbox, fmt::format("card {} cannot be used: {}{}{}", card_, words(fatal, "message"), hint.empty() ? "" : "; ", hint));
  }
  const Json& hello = get(first->head, "hello");
  facts_ = card_of(get(hello, "device"), card_);
  facts_.nvml = get_bool(hello, "nvml").value_or(false);
  greeted_ = true;
  return facts_;
}

Result<ClockProcess::Answer> ClockProcess::ask(const Json& command, const Bytes& blob, double seconds) {
  KBX_TRY(ready());
  if (!socket_) return fail(Code::sandbox, fmt::format("the clock on card {} is gone", card_));
  auto deadline = after(seconds);
  auto sent = send(command, blob, deadline);
  auto answer = sent ? receive(deadline) : Result<Answer>(tl::unexpected(sent.error()));
  // Behind a tool it is left to end by itself: the tool has a log to write.
  if (!answer || answer->fault() == "device" || answer->fault() == "timeout") meeting_ ? socket_.reset() : close();
  if (!answer) return tl::unexpected(with_context(std::move(answer.error()), "while it did " + get_string(command, "do").value_or("?")));
  return answer;
}

}  // namespace kbx::gpu
