// Fuzzes what a hostile child says it launched: JSON -> Tape -> its reading -> the player, on a small arena and without
// kernels. What is accepted stays inside its buffers and is the same tape after one more trip through JSON.
#include <cstdint>
#include <string>
#include <vector>

#include "base/check.h"
#include "model/tape_json.h"
#include "replay/player.h"

namespace {

using namespace kbx;

// Legal tapes may be large; the fuzzer's time is for small ones.
bool small(const Tape& tape) {
  int64_t bytes = 0;
  for (const TapeBuffer& b : tape.buffers) bytes += b.bytes;
  auto few = [](const TapeView& v) {
    int64_t n = 1;
    for (int64_t s : v.shape) n *= s;
    return n <= 1 << 16;
  };
  for (const TapeEntry& e : tape.entries) {
    if (const auto* c = std::get_if<TapeCopy>(&e); c && !few(c->to)) return false;
    if (const auto* f = std::get_if<TapeFill>(&e); f && !few(f->to)) return false;
  }
  for (const TapeView& v : tape.outputs)
    if (!few(v)) return false;
  return bytes <= 1 << 20;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto json = parse_json(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!json) return 0;
  auto tape = tape_from_json(*json);
  if (!tape) {
    KBX_CHECK(!tape.error().message.empty());
    return 0;
  }
  Json again = tape_to_json(*tape);
  auto same = tape_from_json(again);
  KBX_CHECK(same && dump_json(tape_to_json(*same)) == dump_json(again));
  if (!small(*tape)) return 0;
  std::vector<uint8_t> arena(4096);
  replay::Images images;
  replay::Player player(*tape, images, arena.data(), int64_t(arena.size()));
  if (!player.play({})) return 0;
  for (const TapeView& v : tape->outputs) {
    size_t bytes = size_of(v.dtype);
    for (int64_t n : v.shape) bytes *= size_t(n);
    std::vector<uint8_t> out(bytes + 1);
    player.output(v, out.data());
  }
  return 0;
}
