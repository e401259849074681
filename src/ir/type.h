// The type of one SSA value: a scalar, or a tensor with a static shape.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/kind.h"

namespace kbx::ir {

inline constexpr uint32_t kMaxLanes = 1u << 20;  // the front end's own limit of a block
inline constexpr size_t kMaxRank = 24;           // sorting reshapes to one dimension a bit

struct Type {
  Kind kind = Kind::other;     // of the element
  Kind pointee = Kind::other;  // what a pointer element points to; other = unknown
  bool tensor = false;
  std::vector<uint32_t> shape;  // empty for a scalar
  uint32_t lanes = 1;           // product of shape

  bool operator==(const Type&) const = default;
};

// A type that the machine does not know is Kind::other; nothing = damaged text or a shape beyond the limits.
std::optional<Type> parse_type(std::string_view text);

}  // namespace kbx::ir
