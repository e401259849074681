// Fuzzes the parser of event streams: however the bytes are cut, the events are the same; no line end is left in a name
// and no CR in data; memory stays within its bound. First byte: the size of a piece.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "llm/sse.h"

namespace {

using namespace kbx::llm;
constexpr size_t kMost = 4096;

std::vector<SseEvent> parse(std::string_view bytes, size_t piece, bool* overflow) {
  SseParser parser(kMost);
  std::vector<SseEvent> out;
  while (!bytes.empty()) {
    for (SseEvent& e : parser.feed(bytes.substr(0, piece))) out.push_back(std::move(e));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  for (SseEvent& e : parser.finish()) out.push_back(std::move(e));
  *overflow = parser.overflow();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  bool over_whole = false, over_cut = false;
  auto whole = parse(bytes, size, &over_whole), cut = parse(bytes, 1 + data[0] % 32, &over_cut);
  KBX_CHECK(whole.size() == cut.size() && over_whole == over_cut);
  for (size_t k = 0; k < whole.size(); k++) {
    KBX_CHECK(whole[k].name == cut[k].name && whole[k].data == cut[k].data);
    KBX_CHECK(whole[k].name.find_first_of("\r\n") == std::string::npos && whole[k].data.find('\r') == std::string::npos);
    KBX_CHECK(whole[k].name.size() <= kMost && whole[k].data.size() <= kMost);
  }
  return 0;
}
