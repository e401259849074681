// From what a worker's conversation came to, to charges against the candidate. Pure: values in, charges out.
#pragma once
#include <vector>

#include "eval/charge.h"
#include "eval/truth.h"
#include "sandbox/outcome.h"

namespace kbx::eval {

// How the process ended and whether the code could be imported; the same for compile and value workers.
std::vector<Charge> charges_of_process(const sandbox::Outcome& outcome);
// An exception that a call raised.
Charge charge_of_error(const sandbox::WorkerError& error, const std::string& where, bool paper = true);
// What the machine found while the kernels ran (out of bounds, races, undefined values ...).
std::vector<Charge> charges_of_findings(const std::vector<Finding>& findings, const std::string& where);
// One call against the truth: raised or not as asked, inputs untouched.
std::vector<Charge> charges_of_step(const CaseTruth& truth, const sandbox::StepResult& step);
// Does the call exist under the published rules? Repeats and cases beyond the published text do not.
bool counts_for_paper(const CaseTruth& truth);
// Where a call stands, for messages: "case rows (outlier inputs)".
std::string place(const CaseTruth& truth);

}  // namespace kbx::eval
