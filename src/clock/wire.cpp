#include "clock/wire.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "model/clock_wire.h"

namespace kbx::clock {
namespace {

// Bytes read: fewer than `size` only at the end.
Result<size_t> read_all(int fd, void* to, size_t size) {
  size_t done = 0;
  while (done < size) {
    ssize_t n = ::read(fd, static_cast<char*>(to) + done, std::min<size_t>(size - done, size_t(1) << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(Code::io, "cannot read a message");
    if (n == 0) break;
    done += size_t(n);
  }
  return done;
}
Result<void> write_all(int fd, const void* from, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t n = ::send(fd, static_cast<const char*>(from) + done, std::min<size_t>(size - done, size_t(1) << 30), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(Code::io, "cannot write a message");
    done += size_t(n);
  }
  return {};
}

}  // namespace

Result<std::optional<Message>> read_message(int fd) {
  ClockHeader header{};
  KBX_TRY_ASSIGN(size_t got, read_all(fd, &header, sizeof header));
  if (got == 0) return std::nullopt;
  if (got < sizeof header) return fail(Code::io, "a message ends within its header");
  if (std::memcmp(header.magic, kClockMagic, sizeof kClockMagic) != 0) return fail(Code::io, "a message does not start as one");
  if (header.json_bytes > kMaxClockJson || header.blob_bytes > kMaxClockBlob) return fail(Code::io, "a message is too large");
  std::string text(header.json_bytes, '\0');
  Message out;
  KBX_TRY_ASSIGN(size_t text_bytes, read_all(fd, text.data(), text.size()));
  if (text_bytes < text.size()) return fail(Code::io, "a message ends early");
  out.blob.resize(header.blob_bytes);
  KBX_TRY_ASSIGN(size_t blob_bytes, read_all(fd, out.blob.data(), out.blob.size()));
  if (blob_bytes < out.blob.size()) return fail(Code::io, "a message ends early");
  if (auto json = parse_json(text); json && json->is_object()) out.head = std::move(*json);
  return out;
}

Result<void> write_message(int fd, const Message& message) {
  std::string text = dump_json(message.head);
  ClockHeader header{};
  std::memcpy(header.magic, kClockMagic, sizeof kClockMagic);
  if (text.size() > kMaxClockJson) return fail(Code::internal, "an answer is too large");
  header.json_bytes = uint32_t(text.size());
  header.blob_bytes = message.blob.size();
  KBX_TRY(write_all(fd, &header, sizeof header));
  KBX_TRY(write_all(fd, text.data(), text.size()));
  return write_all(fd, message.blob.data(), message.blob.size());
}

}  // namespace kbx::clock
