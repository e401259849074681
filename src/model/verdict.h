// Verdict: the one word a job ends with. The order of the enumerators IS the precedence (docs/verdicts.md): the first
// that applies is the headline, everything else stays beside it as findings.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace kbx {

enum class Verdict : unsigned char {
  harness_error,  // ours, never charged to the candidate
  no_code,
  constraint_violation,
  syntax_error,
  import_error,
  entry_missing,
  compile_error,
  runtime_error,
  illegal_memory_access,
  crashed,
  timeout,
  out_of_memory,
  sandbox_violation,
  wrong_structure,
  mutated_input,
  unwritten_output,
  wrong_value,
  wrong_value_outlier,
  contract_violation,
  data_race,
  nondeterministic,
  delegated,
  not_judged,  // neither failure nor success: this machine cannot decide
  correct
};
inline constexpr size_t kVerdictCount = size_t(Verdict::correct) + 1;

std::string_view to_text(Verdict v);
std::optional<Verdict> verdict_from_text(std::string_view text);
std::string_view meaning(Verdict v);  // one sentence, the row of docs/verdicts.md

// Stage 1 (call accuracy): compiled, imported and returned from the task's first case. Verdicts from wrong_structure on
// imply it; for earlier ones the pipeline says it (a later case may have failed).
bool implies_call(Verdict v);
bool is_failure(Verdict v);  // counted against the candidate: not harness_error, not_judged, correct

}  // namespace kbx
