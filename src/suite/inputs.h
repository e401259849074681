// Inputs: the arguments of one case as bytes, the same on every machine.
// Every tensor is drawn from Philox4x32-10 under a key made of (run seed, task, case, argument path, phase). Only IEEE
// basic operations and our own polynomials are used, never libm, so golden hashes hold everywhere.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/task.h"
#include "model/value.h"

namespace kbx::suite {

enum class Phase : unsigned char { standard, outlier };
std::string_view to_text(Phase phase);

// Arguments in signature order: those without a default and a variadic parameter's values by position, those with a
// default by keyword, those that the case does not name left out.
// Two tensors of one call share a storage only for `copy_of`: they are one tensor object. Elements of a storage that
// the tensor does not show (strided, offset) are poison.
// Errors: the case does not fit the signature, or a tensor's description is impossible (parse_task finds both).
Result<Call> make_call(const Task& task, const Case& which, Phase phase, uint64_t run_seed);

// The same call without a byte drawn: tensors have shape and dtype but no storage. For cost formulas.
Result<Call> outline_call(const Task& task, const Case& which);

// Does this case have an outlier twin, i.e. would make_call(..., outlier) differ from standard?
bool has_outlier_twin(const Task& task, const Case& which);

// Is the description of one tensor possible? One sentence each, empty when it is.
std::vector<std::string> check_tensor(const TensorSpec& spec);

}  // namespace kbx::suite
