#include "replay/serve.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/json.h"
#include "model/tape_json.h"
#include "replay/player.h"
#include "worker/wire.h"

namespace kbx::replay {
namespace {

using worker::FrameHeader, worker::FrameType;

bool read_exactly(int fd, char* to, size_t size) {
  while (size > 0) {
    ssize_t n = ::recv(fd, to, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    size -= size_t(n);
  }
  return true;
}
bool write_exactly(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(size_t(n));
  }
  return true;
}

// The arena, mapped: inputs in front, results from out_at on.
struct Arena {
  uint8_t* base = nullptr;
  int64_t in_bytes = 0, out_at = 0, out_end = 0;
};

Json refusal(const Json& id, const std::string& why) {
  return {{"id", id}, {"ok", false}, {"error", {{"kind", "not_judged"}, {"type", "Replay"}, {"message", why}, {"traceback", ""}, {"line", 0}}}};
}

class Server {
 public:
  Server(int socket, int arena) : socket_(socket) {
    struct stat s {};
    if (::fstat(arena, &s) != 0) return;
    void* p = ::mmap(nullptr, size_t(s.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, arena, 0);
    if (p == MAP_FAILED) return;
    arena_.base = static_cast<uint8_t*>(p);
    size_ = s.st_size;
  }

  int run() {
    for (;;) {
      FrameHeader h{};
      if (!read_exactly(socket_, reinterpret_cast<char*>(&h), sizeof h)) return 2;
      if (std::memcmp(h.magic, worker::kMagic, sizeof h.magic) != 0 || h.length > worker::kMaxFrameBytes) return 2;
      std::string text(h.length, '\0');
      if (!read_exactly(socket_, text.data(), text.size())) return 2;
      auto payload = parse_json(text);
      if (!payload) return 2;
      FrameType type{h.type};
      if (type == FrameType::load && !send(FrameType::loaded, h.sequence, load(*payload))) return 2;
      if (type == FrameType::call && !send(FrameType::returned, h.sequence, call(*payload))) return 2;
      if (type == FrameType::finish) return send(FrameType::bye, h.sequence, Json::object()) ? 0 : 2;
    }
  }

 private:
  bool send(FrameType type, uint32_t sequence, const Json& payload) {
    std::string text = dump_json(payload);
    FrameHeader h{{}, worker::kProtocol, uint16_t(type), uint32_t(text.size()), sequence};
    std::memcpy(h.magic, worker::kMagic, sizeof h.magic);
    return write_exactly(socket_, std::string(reinterpret_cast<const char*>(&h), sizeof h) + text);
  }

  Json load(const Json& j) {
    arena_.in_bytes = get_int(j, "in_bytes").value_or(0);
    arena_.out_at = get_int(j, "out_at").value_or(0);
    arena_.out_end = arena_.out_at + get_int(j, "out_bytes").value_or(0);
    options_.threads = int(get_int(j, "threads").value_or(1));
    options_.seconds = get_double(j, "kernel_seconds").value_or(20);
    if (const Json& images = get(j, "images"); images.is_object())
      for (const auto& [hash, text] : images.items())
        if (text.is_string()) images_.add(hash, text.get<std::string>());
    bool ok = arena_.base && arena_.in_bytes >= 0 && arena_.in_bytes <= arena_.out_at && arena_.out_end <= size_;
    if (!ok) return refusal(0, "the arena cannot be mapped");
    return {{"ok", true}, {"seconds", 0}};
  }

  Json call(const Json& j) {
    const Json& id = get(j, "id");
    auto tape = tape_from_json(get(j, "tape"));
    if (!tape) return refusal(id, tape.error().message);
    Player player(*tape, images_, arena_.base, arena_.in_bytes);
    if (auto played = player.play(options_); !played) return refusal(id, played.error().message);
    Json list = Json::array();
    int64_t next = arena_.out_at;
    for (const TapeView& view : tape->outputs) {
      int64_t bytes = int64_t(size_of(view.dtype));
      for (int64_t n : view.shape)
        if (__builtin_mul_overflow(bytes, n, &bytes)) return refusal(id, "an output of impossible size");
      next = (next + int64_t(worker::kAlignBytes) - 1) / int64_t(worker::kAlignBytes) * int64_t(worker::kAlignBytes);
      if (bytes > arena_.out_end - next) return refusal(id, "the outputs need more than the bytes set aside for them");
      player.output(view, arena_.base + next);
      list.push_back({{"t", "tensor"}, {"dtype", to_text(view.dtype)}, {"shape", view.shape}, {"at", next}, {"bytes", bytes}, {"alias", nullptr}, {"device", "cuda"}});
      next += bytes;
    }
    return {{"id", id}, {"ok", true}, {"result", {{"t", "tuple"}, {"v", list}}}};
  }

  int socket_;
  Arena arena_;
  int64_t size_ = 0;
  Images images_;
  PlayOptions options_;
};

}  // namespace

int serve(int socket_fd, int arena_fd) { return Server(socket_fd, arena_fd).run(); }

}  // namespace kbx::replay

int kbx_replay_serve(int socket_fd, int arena_fd) { return kbx::replay::serve(socket_fd, arena_fd); }
