// Fuzzes the JSON lines reader: no crash, and cutting the bytes anywhere gives the same rows and problems.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "intake/jsonl.h"

namespace {

std::string read(std::string_view text, size_t piece) {
  std::string out;
  kbx::intake::JsonlReader reader(
      {.row =
           [&](kbx::intake::JsonlRow r) {
             out += std::to_string(r.line) + r.task + "|" + r.reply + "|" + r.entry + "|" + r.id + "\n";
           },
       .problem = [&](kbx::intake::LineProblem p) { out += std::to_string(p.line) + "!" + p.reason + "\n"; }},
      1024);
  for (size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  reader.finish();
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  KBX_CHECK(read(text, size ? size : 1) == read(text, 7));
  (void)kbx::intake::looks_like_jsonl(text);
  return 0;
}
