#include "eval/evidence.h"

namespace kbx::eval {

judge::Evidence evidence_for(const Task& task, const CaseTruth& truth, const std::string& root, const CaseTruth::Root& expected) {
  auto some = [](const std::optional<Value>& v) { return v ? &*v : nullptr; };
  judge::Evidence e{task, truth.call, root};
  e.eager = &expected.eager;
  e.truth = &expected.truth;
  e.permuted = some(expected.permuted);
  e.narrow = some(expected.narrow);
  if (truth.which && truth.which->oracle) e.oracle = &*truth.which->oracle;
  if (root != "result") return e;  // the helpers describe the returned value
  e.magnitude = some(truth.magnitude);
  e.scheme = some(truth.scheme);
  e.survivors = some(truth.survivors);
  e.dropped = some(truth.dropped);
  e.probability = some(truth.probability);
  e.domain = some(truth.domain);
  return e;
}

}  // namespace kbx::eval
