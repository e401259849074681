// A Call as the wire's JSON plus where each storage lies in the arena (docs/wire.md, VALUE).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/json.h"
#include "model/value.h"

namespace kbx::sandbox {

// One input storage in the arena; several arguments may view it.
struct Placement {
  std::string name;                      // the first argument that uses it
  int64_t at = 0;                        // byte in the arena, 64-byte aligned, redzones around
  std::shared_ptr<const Bytes> storage;
};

struct EncodedCall {
  Json args = Json::array();
  Json kwargs = Json::object();
  std::vector<Placement> placements;
  int64_t bytes = 0;                     // arena bytes needed, redzones included
};

// `names` gives the parameter name of each positional argument ("" allowed).
// With `draws`, tensors have no bytes: the k-th one carries the k-th draw.
EncodedCall encode_call(const Call& call, const std::vector<std::string>& names, const std::vector<Json>& draws = {});

}  // namespace kbx::sandbox
