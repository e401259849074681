// References: every place where a candidate names something that is not its own, in source order.
#pragma once
#include <string>
#include <vector>

#include "lint/names.h"

namespace kbx::lint {

struct Reference {
  enum How : unsigned char { import, use, store, remove };
  NodeId node = kNoNode;
  NameSet names;  // what it may be; never empty
  How how = use;
  NodeId call = kNoNode;  // the call whose function it is
};

// Only the longest chain is reported: torch.cuda.Stream is one reference. Nothing under the main guard.
std::vector<Reference> find_references(const Source& source, const Scopes& scopes, Names& names);

}  // namespace kbx::lint
