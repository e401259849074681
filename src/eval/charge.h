// Charge: one reason that speaks against "correct", with the words for a human. Everything a stage has to say about a
// candidate becomes charges; decide() picks the headline, nothing else does.
#pragma once
#include <string>
#include <vector>

#include "model/finding.h"
#include "model/verdict.h"

namespace kbx::eval {

struct Charge {
  Verdict verdict = Verdict::harness_error;
  std::string explanation;
  bool paper = false;  // counts under the published rules too
  int line = 0;        // of the candidate's code
  bool replay = false; // said by a replay: right values on a card do not disprove it
};

// The one precedence table (docs/verdicts.md): the first verdict that applies, `correct` when none does.
Verdict decide(const std::vector<Charge>& charges);
// The same by the published rules: charges with `paper` only.
Verdict decide_paper(const std::vector<Charge>& charges);
// The charge that decided; nullptr when correct.
const Charge* headline(const std::vector<Charge>& charges);

}  // namespace kbx::eval
