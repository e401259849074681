// Fuzzes the extraction of code from replies: no crash, no hang, and what it promises: the same bytes twice, no repair
// in mode kbx, no published tests behind the code, Python that is whole stays whole.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "intake/candidate_maker.h"
#include "intake/extract.h"
#include "intake/json_reply.h"
#include "intake/python_shape.h"
#include "intake/source_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace kbx::intake;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const Target target{{"relu"}};
  for (auto mode : {ExtractMode::upstream, ExtractMode::kbx, ExtractMode::repair}) {
    Extracted once = extract(text, mode, target);
    Extracted twice = extract(text, mode, target);
    KBX_CHECK(once.code == twice.code && once.how == twice.how);
    KBX_CHECK(once.code.find(std::string(146, '#')) == std::string::npos);
    KBX_CHECK(mode == ExtractMode::repair || !once.repaired);
    KBX_CHECK(!once.how.empty() && (once.how != "none" || once.code.empty()));
    if (once.repaired) KBX_CHECK(shape_of(once.code).valid);
    (void)extract_source(text, mode, target);
  }
  if (auto object = object_in(text)) KBX_CHECK(object->is_object());
  (void)string_from_json(text, "strategy");
  KBX_CHECK(read_mark(text).text_begin <= size);
  return 0;
}
