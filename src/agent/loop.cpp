// Names of evaluations.
#include "agent/loop.h"

#include <fmt/core.h>

namespace kbx::agent {

std::string to_text(const EvalId& id) { return fmt::format("{}/{}/{}/{}", id.task, id.round, id.slot, id.step); }

}  // namespace kbx::agent
