// Fuzzes lint: any bytes must give findings with sane places and text, and a SARIF log that parses.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/json.h"
#include "lint/lint.h"
#include "lint/sarif.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kbx::lint::LintInput input;
  input.source.assign(reinterpret_cast<const char*>(data), size);
  input.entry = "entry";
  input.accepted_entries = {"kernel_function"};
  input.quantization_task = size % 2 == 0;
  input.forbidden_calls = {"torch.softmax", ".softmax"};
  std::vector<kbx::Finding> findings = kbx::lint::lint(input);
  int previous = 0;
  for (const kbx::Finding& f : findings) {
    KBX_CHECK(f.line >= previous && !f.rule.empty() && !f.message.empty());
    KBX_CHECK((f.line == 0) == (f.column == 0));
    previous = f.line;
  }
  KBX_CHECK(kbx::parse_json(kbx::dump_json(kbx::lint::to_sarif({{"fuzz.py", findings}}, "0"))).has_value());
  return 0;
}
