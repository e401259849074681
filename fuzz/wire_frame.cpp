// Fuzzes what a hostile child can send: the bytes go through the Channel as frames, every payload through every
// decoder. No crash, no hang, nothing kept beyond the limits of worker/wire.h, no more tensor bytes than the arena has.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/check.h"
#include "sandbox/channel.h"
#include "sandbox/decode.h"

namespace {

using namespace kbx;
using namespace kbx::sandbox;

int64_t bytes_of(const Value& v) {
  int64_t n = v.tensor.storage ? int64_t(v.tensor.storage->size()) : 0;
  for (const Value& item : v.items) n += bytes_of(item);
  return n;
}

void decode(const Json& payload) {
  auto arena = Arena::create(4096, 8192);
  KBX_CHECK(arena.has_value());
  for (bool on_device : {false, true}) {
    std::vector<std::string> aliases;
    if (auto value = decode_result(get(payload, "result"), *arena, on_device, aliases))
      KBX_CHECK(bytes_of(*value) <= arena->output_bytes());
    else
      KBX_CHECK(!value.error().message.empty());
  }
  KBX_CHECK(!decode_error(get(payload, "error")).kind.empty());
  KBX_CHECK(decode_launches(get(payload, "launches")).size() <= size_t(worker::kMaxLaunches));
  KBX_CHECK(decode_findings(get(payload, "findings")).size() <= 256);
  KBX_CHECK(decode_ops(get(payload, "ops")).size() <= 512);
  KBX_CHECK(decode_compiled(get(payload, "compiled")).size() <= 1024);
}

// The child's first byte decides: raw bytes on the socket, or a well-made frame around the rest, so that the fuzzer
// spends its time behind the header too.
std::string on_the_wire(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.empty() || bytes[0] != '{') return bytes;
  worker::FrameHeader header{{}, worker::kProtocol, uint16_t(worker::FrameType::returned), uint32_t(size), 0};
  std::memcpy(header.magic, worker::kMagic, sizeof header.magic);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes = on_the_wire(data, std::min<size_t>(size, 64 << 10));
  int sockets[2], output[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || ::pipe(output) != 0) std::abort();
  size_t sent = 0;
  if (ssize_t n = ::send(sockets[1], bytes.data(), bytes.size(), MSG_DONTWAIT); n > 0) sent = size_t(n);
  if (ssize_t n = ::write(output[1], data, std::min<size_t>(size, 4096)); n < 0) std::abort();
  ::close(sockets[1]);
  ::close(output[1]);

  Channel channel{Fd(sockets[0]), Fd(output[0]), 1024};
  for (size_t frames = 0;; frames++) {
    Channel::Received got = channel.receive(Steady::now() + std::chrono::seconds(5));
    KBX_CHECK(got.answer != Channel::Answer::timeout);  // the other end is closed: there is nothing to wait for
    KBX_CHECK(frames <= sent / sizeof(worker::FrameHeader));
    if (got.answer != Channel::Answer::frame) break;
    decode(got.payload);
  }
  channel.drain();
  KBX_CHECK(channel.output().total() == int64_t(std::min<size_t>(size, 4096)));
  KBX_CHECK(channel.output().text().size() <= 4 * 1024 + 4096);
  return 0;
}
