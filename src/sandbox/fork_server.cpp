// Theory of operation. kbx holds one SOCK_SEQPACKET socket to the zygote. fork() sends a packet with three descriptors
// and waits for "forked" or "fork_failed" under its id; the zygote alone may wait() for its children, so exits arrive as
// packets too. A zygote that dies fails every open slot; the next fork() starts a new one. The zygote is trusted (it
// never runs a candidate); what its children do reaches us only through their own sockets.
#include "sandbox/fork_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/check.h"
#include "base/start_process.h"
#include "base/system.h"
#include "base/text.h"
#include "worker/wire.h"

namespace kbx::sandbox {
namespace {

constexpr size_t kPacket = 64 << 10;

Result<void> send_with_fds(int socket, const std::string& text, const std::vector<int>& fds) {
  iovec iov{const_cast<char*>(text.data()), text.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))] = {};
  msghdr msg{};
  msg.msg_iov = &iov;
  msg.msg_iovlen = 1;
  KBX_CHECK(fds.size() <= 4);
  if (!fds.empty()) {
    msg.msg_control = control;
    msg.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
    cmsghdr* c = CMSG_FIRSTHDR(&msg);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
    std::memcpy(CMSG_DATA(c), fds.data(), fds.size() * sizeof(int));
  }
  if (::sendmsg(socket, &msg, MSG_NOSIGNAL) < 0) return fail_errno(Code::sandbox, "cannot reach the fork server");
  return {};
}

std::vector<std::string> string_list(const Json& j) {
  std::vector<std::string> out;
  if (j.is_array())
    for (const Json& s : j)
      if (s.is_string()) out.push_back(s.get<std::string>());
  return out;
}

}  // namespace

Result<std::unique_ptr<ForkServer>> ForkServer::start(PythonHome home) {
  std::unique_ptr<ForkServer> server(new ForkServer(std::move(home)));
  {
    std::unique_lock lock(server->mutex_);
    auto deadline = Steady::now() + std::chrono::milliseconds(int64_t(server->home_.start_seconds * 1000));
    for (int k = 0; k < 2; k++) {  // one that somebody kills while it starts says nothing about this python
      KBX_TRY(server->launch());
      server->changed_.wait_until(lock, deadline, [&] { return server->hello_ || !server->alive_; });
      if (server->hello_ || !server->killed_) break;
    }
    if (!server->fatal_.empty()) return fail(Code::python, server->fatal_);
    if (!server->hello_)
      return fail(Code::python, server->home_.python + " did not start as a worker (run `kbx doctor` to see why)");
  }
  return server;
}

Result<void> ForkServer::launch() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return fail_errno(Code::sandbox, "cannot make a socket pair");
  Fd ours(pair[0]), theirs(pair[1]);
  std::string script = home_.worker_folder + "/zygote.py";
  std::vector<std::string> words{home_.python, "-I", "-B", "-c", worker::kBoot, script, "--lib", home_.library, "--cache", home_.cache_folder.empty() ? cache_folder() : home_.cache_folder};
  // A cleared environment: nothing of the user's (keys, PYTHONPATH, TRITON_*) reaches generated code.
  std::vector<std::string> env{"PATH=/usr/local/bin:/usr/bin:/bin:/sbin:/usr/sbin", "LANG=C.UTF-8", "HOME=/nonexistent", "OMP_NUM_THREADS=1",
                               "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "CUDA_VISIBLE_DEVICES=", "PYTORCH_NVML_BASED_CUDA_CHECK=1", "PYTHONDONTWRITEBYTECODE=1"};
  KBX_TRY_ASSIGN(pid_, start_process({std::move(words), std::move(env), theirs.get(), std::nullopt}, Code::python));
  if (reader_.joinable()) reader_.join();  // it is past its last lock: alive_ is false
  killed_ = false;
  socket_ = std::move(ours);
  alive_ = true;
  hello_ = false;
  fatal_.clear();
  restarts_++;
  reader_ = std::thread([this, fd = socket_.get()] { read_loop(fd); });
  return {};
}

void ForkServer::read_loop(int socket) {
  std::string buffer(kPacket, '\0');
  for (;;) {
    ssize_t n = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    auto packet = parse_json(std::string_view(buffer.data(), size_t(n)));
    std::lock_guard lock(mutex_);
    if (packet) handle(*packet);
    changed_.notify_all();
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  std::lock_guard lock(mutex_);
  alive_ = false;
  killed_ = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (!hello_ && fatal_.empty())
    fatal_ = fmt::format("the python worker ended while starting ({} {}): {}", WIFSIGNALED(status) ? "signal" : "exit code",
                         WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), home_.python);
  for (auto& [id, slot] : slots_)
    if (!slot.exited && !slot.failed) {
      slot.failed = true;
      slot.problem = "the fork server died";
    }
  changed_.notify_all();
}

void ForkServer::handle(const Json& p) {
  if (const Json& h = get(p, "hello"); h.is_object()) {
    facts_ = {get_string(h, "python").value_or("?"), get_string(h, "torch").value_or("?"), get_string(h, "triton").value_or("?"),
              get_string(h, "numpy").value_or("?"), {}, string_list(get(h, "notes")), string_list(get(get(h, "libraries"), "nvrtc")), string_list(get(get(h, "libraries"), "cupti")), get_double(h, "seconds").value_or(0)};
    if (const Json& jail = get(h, "jail"); jail.is_object())
      for (const auto& [key, v] : jail.items()) facts_.jail[key] = v.is_boolean() && v.get<bool>();
    hello_ = true;
  }
  if (const Json& f = get(p, "fatal"); f.is_object()) fatal_ = get_string(f, "message").value_or("?") + "\n  " + get_string(f, "hint").value_or("");
  if (const Json& f = get(p, "forked"); f.is_object()) slots_[get_int(f, "id").value_or(-1)].forked = true;
  if (const Json& f = get(p, "fork_failed"); f.is_object()) {
    Slot& slot = slots_[get_int(f, "id").value_or(-1)];
    slot.failed = true;
    slot.problem = get_string(f, "step").value_or("fork") + ": " + get_string(f, "message").value_or("?");
  }
  if (const Json& e = get(p, "exited"); e.is_object()) {
    auto it = slots_.find(get_int(e, "id").value_or(-1));
    if (it == slots_.end()) return;  // forgotten: it took too long to die
    it->second.exited = true;
    it->second.exit = {int(get_int(e, "status").value_or(0)), get_double(e, "user_seconds").value_or(0), get_double(e, "cpu_seconds").value_or(0),
                       get_int(e, "max_rss_bytes").value_or(0)};
  }
}

Result<int64_t> ForkServer::fork(Role role, const Limits& limits, bool jail, int socket, int arena, int output, int kernels) {
  std::unique_lock lock(mutex_);
  auto deadline = Steady::now() + std::chrono::milliseconds(int64_t(home_.start_seconds * 1000));
  if (!alive_) KBX_TRY(launch());
  changed_.wait_until(lock, deadline, [&] { return hello_ || !alive_; });
  if (!hello_) return fail(Code::sandbox, fatal_.empty() ? "the fork server does not answer" : fatal_);
  int64_t id = next_id_++;
  slots_[id];
  Json packet = {{"fork", {{"id", id}, {"role", to_text(role)}, {"jail", jail},
                           {"limits", {{"memory_bytes", limits.memory_bytes}, {"cpu_seconds", int64_t(limits.job_seconds) + 5},
                                       {"wall_seconds", int64_t(limits.job_seconds) + 5}, {"processes", limits.processes}, {"file_bytes", limits.file_bytes}}}}}};
  std::vector<int> fds{socket, arena, output};
  if (kernels >= 0) fds.push_back(kernels);
  KBX_TRY(send_with_fds(socket_.get(), dump_json(packet), fds));
  Slot* slot = &slots_[id];
  bool in_time = changed_.wait_for(lock, std::chrono::seconds(30), [&] { return slot->forked || slot->failed || slot->exited; });
  if (slot->failed || !in_time) {
    auto problem = slot->problem.empty() ? std::string("no answer within 30 s") : slot->problem;
    slots_.erase(id);
    return fail(Code::sandbox, "cannot fork a worker: " + problem);
  }
  return id;
}

void ForkServer::kill(int64_t id) {
  std::lock_guard lock(mutex_);
  if (alive_) (void)send_with_fds(socket_.get(), dump_json({{"kill", {{"id", id}}}}), {});
}

std::optional<ChildExit> ForkServer::wait(int64_t id, Steady::time_point deadline) {
  std::unique_lock lock(mutex_);
  Slot& slot = slots_[id];
  changed_.wait_until(lock, deadline, [&] { return slot.exited || slot.failed; });
  std::optional<ChildExit> out;
  if (slot.exited) out = slot.exit;
  return out;
}

void ForkServer::forget(int64_t id) {
  std::lock_guard lock(mutex_);
  slots_.erase(id);
}

ZygoteFacts ForkServer::facts() const {
  std::lock_guard lock(mutex_);
  return facts_;
}
int ForkServer::restarts() const {
  std::lock_guard lock(mutex_);
  return restarts_;
}
pid_t ForkServer::zygote_pid() const {
  std::lock_guard lock(mutex_);
  return pid_;
}

// A closed socket lets the zygote leave by itself and remove its folder; one that still imports torch is not waited for.
ForkServer::~ForkServer() {
  {
    std::unique_lock lock(mutex_);
    if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
    if (hello_) changed_.wait_for(lock, std::chrono::seconds(5), [&] { return !alive_; });
    if (alive_) ::kill(pid_, SIGKILL);
  }
  if (reader_.joinable()) reader_.join();
}

}  // namespace kbx::sandbox
