#include "eval/evidence.h"

namespace kbx::eval {
namespace {

// An `out` holds what is returned, and has the same right to the bounds that the reference names for that.
bool is_what_returns(const CaseTruth& truth, const CaseTruth::Root& argument) {
  auto result = truth.roots.find("result");
  return result != truth.roots.end() && !judge::check_unchanged("", result->second.eager, argument.eager) &&
         !judge::check_unchanged("", result->second.truth, argument.truth);
}

}  // namespace

judge::Evidence evidence_for(const Task& task, const CaseTruth& truth, const std::string& root, const CaseTruth::Root& expected) {
  auto some = [](const std::optional<Value>& v) { return v ? &*v : nullptr; };
  judge::Evidence e{task, truth.call, root};
  e.eager = &expected.eager;
  e.truth = &expected.truth;
  e.permuted = some(expected.permuted);
  e.narrow = some(expected.narrow);
  if (truth.which && truth.which->oracle) e.oracle = &*truth.which->oracle;
  e.magnitude = some(expected.magnitude);
  if (root != "result" && !is_what_returns(truth, expected)) return e;  // the helpers describe the returned value
  if (!e.magnitude) e.magnitude = some(truth.magnitude);
  e.scheme = some(truth.scheme);
  e.survivors = some(truth.survivors);
  e.dropped = some(truth.dropped);
  e.probability = some(truth.probability);
  e.domain = some(truth.domain);
  return e;
}

}  // namespace kbx::eval
