#include "model/verdict.h"

namespace kbx {
namespace {

struct Row {
  std::string_view text, meaning;
};
constexpr std::array<Row, kVerdictCount> kRows{{
    {"harness_error", "kbx or the machine failed; the candidate is not charged and the job may be retried"},
    {"no_code", "the reply holds no Python code"},
    {"constraint_violation", "the code does what the task forbids (a lint rule of severity reject)"},
    {"syntax_error", "the code does not parse as Python"},
    {"import_error", "importing the code raised an exception"},
    {"entry_missing", "the code does not define the task's function"},
    {"compile_error", "the Triton compiler refused a kernel"},
    {"runtime_error", "a call raised an exception"},
    {"illegal_memory_access", "a kernel read or wrote outside its tensors"},
    {"crashed", "the process ended without finishing: a signal, exit() or os._exit()"},
    {"timeout", "a step did not finish within its time limit"},
    {"out_of_memory", "the memory limit was reached"},
    {"sandbox_violation", "the process tried what the jail forbids"},
    {"wrong_structure", "the result has another count, shape, dtype or device than asked for"},
    {"mutated_input", "an input that must stay untouched was changed"},
    {"unwritten_output", "a part of the output was never written"},
    {"wrong_value", "the values are wrong on standard inputs"},
    {"wrong_value_outlier", "right on standard inputs, wrong on inputs with outliers"},
    {"contract_violation", "the values fit but the promised scheme (quantization) or the work itself was not carried out"},
    {"data_race", "two programs of one launch touch the same memory without order"},
    {"nondeterministic", "the same inputs gave different results where the task forbids it"},
    {"delegated", "library operators, not the candidate's kernels, did the work"},
    {"not_judged", "this machine cannot decide it (the reason is stated); neither failure nor success"},
    {"correct", "every case of both phases is right and the candidate's own kernels did the work"},
}};

}  // namespace

std::string_view to_text(Verdict v) { return kRows[size_t(v)].text; }
std::string_view meaning(Verdict v) { return kRows[size_t(v)].meaning; }
std::optional<Verdict> verdict_from_text(std::string_view text) {
  for (size_t k = 0; k < kRows.size(); k++)
    if (kRows[k].text == text) return Verdict(k);
  return std::nullopt;
}
bool implies_call(Verdict v) { return v >= Verdict::wrong_structure && v != Verdict::not_judged; }
bool is_failure(Verdict v) { return v != Verdict::harness_error && v != Verdict::not_judged && v != Verdict::correct; }

}  // namespace kbx
