// From a model's reply to the Python code in it. Pure and deterministic: the same bytes give the same code.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/finding.h"

namespace kbx::intake {

// upstream: what the published pipeline takes, byte for byte (upstream.h).
// kbx:      the piece of the reply that is most plausibly the solution; its code is never changed, except that special
//           tokens outside of strings go and that line ends become "\n".
// repair:   kbx, and what then still is not Python is mended: typographic quotes, prose in front of or behind the code.
//           Such code is marked `repaired` and does not belong in headline numbers.
enum class ExtractMode : unsigned char { upstream, kbx, repair };
std::string_view to_text(ExtractMode mode);
std::optional<ExtractMode> extract_mode_from_text(std::string_view text);

// The names under which the task's function may be defined; "kernel_function" is always accepted. Empty: any function.
struct Target {
  std::vector<std::string> names;
};

struct Extracted {
  std::string code;  // empty: the reply holds no Python
  // upstream | whole | before_fence | fence | joined | json | json_salvage | reasoning (a draft; no answer) | none
  std::string how;
  bool truncated = false;         // the reply ends in the middle of code or of reasoning: it was cut
  bool repaired = false;          // mode repair changed the code
  int candidates = 0;             // pieces of the reply that could have been the code
  std::vector<Finding> findings;  // layer intake: published_tests_cut, reply_cut, no_code, ... (docs/candidates.md)
};

Extracted extract(std::string_view reply, ExtractMode mode, const Target& target);

}  // namespace kbx::intake
