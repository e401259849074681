// Fuzzes batch result files and indexes of both vendors: every call of the index is answered once or missing, lines are
// where they are said to be, an accepted index is the same after one more trip. First byte: the vendor.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include "base/check.h"
#include "llm/batch.h"

namespace {

using namespace kbx;
using namespace kbx::llm;

BatchIndex index_of(DialectName dialect) {
  BatchIndex index;
  index.dialect = dialect;
  for (int slot = 0; slot < 4; slot++) {
    CallId id{"t", "g", 0, slot, 0};
    index.calls["c" + std::to_string(slot)] = {id, "m", "", 5};
  }
  return index;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (auto index = parse_index(bytes)) {
    auto again = parse_index(dump_index(*index));
    KBX_CHECK(again && dump_index(*again) == dump_index(*index));
  }
  BatchIndex index = index_of(data[0] % 2 ? DialectName::openai : DialectName::anthropic);
  BatchResults results = read_batch(bytes, index);
  size_t lines = size_t(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
  std::set<CallId> seen(results.missing.begin(), results.missing.end());
  for (const BatchReply& r : results.replies) {
    KBX_CHECK(seen.insert(r.entry.id).second && r.line >= 1 && r.line <= lines && bytes.find(r.raw) != bytes.npos);
    if (auto* reply = std::get_if<ChatReply>(&r.result)) KBX_CHECK(reply->usage.in > 0);
  }
  KBX_CHECK(seen.size() == index.calls.size());
  for (const BatchProblem& p : results.problems) KBX_CHECK(p.line >= 1 && p.line <= lines && !p.message.empty());
  return 0;
}
