#include "eval/tape_inputs.h"

#include <algorithm>

#include "sandbox/encode.h"

namespace kbx::eval {

Json pack_inputs(const CaseTruth& c, const DeviceTape& tape, Bytes& blob) {
  auto encoded = sandbox::encode_call(c.call, c.names);
  Json inputs = Json::array();
  for (const sandbox::Placement& p : encoded.placements) {
    if (!p.storage || p.storage->empty()) continue;
    bool on_tape = std::any_of(tape.inputs.begin(), tape.inputs.end(), [&](const DeviceTensor& t) { return t.name == p.name; });
    if (!on_tape) continue;
    inputs.push_back({{"name", p.name}, {"at", blob.size()}, {"bytes", p.storage->size()}});
    blob.insert(blob.end(), p.storage->begin(), p.storage->end());
  }
  return inputs;
}

}  // namespace kbx::eval
