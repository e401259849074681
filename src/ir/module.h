// The generic form of an MLIR module as plain data. Nothing here knows what an operation means.
// All text is views into Module::text, which stays where it is when a Module is moved.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/location.h"
#include "ir/type.h"

namespace kbx::ir {

using ValueId = uint32_t;  // index into Module::value_types
struct Region;

struct Attribute {
  std::string_view key, value;  // the raw text; "true" for a unit attribute
};

struct Op {
  std::string_view name, loc;
  std::vector<ValueId> operands, results;
  std::vector<Attribute> attributes;         // properties and attributes alike
  std::vector<std::string_view> successors;  // block names
  std::vector<Region> regions;

  bool has(std::string_view key) const;
  std::string_view text(std::string_view key) const;  // "" if absent
  // The default where it is absent; nothing where it is no integer.
  std::optional<int64_t> integer(std::string_view key, int64_t absent) const;
  // Empty where it is absent; nothing where it is no list of at most 64 integers.
  std::optional<std::vector<int64_t>> list(std::string_view key) const;
};

struct Block {
  std::string_view name;  // "" for an entry block without a head
  std::vector<ValueId> arguments;
  std::vector<Op> ops;
};

struct Region {
  std::vector<Block> blocks;
};

struct Module {
  std::vector<char> text;
  std::vector<Type> types;            // each distinct type once
  std::vector<uint32_t> value_types;  // index into types
  std::vector<Op> functions;          // every tt.func
  LocationTable locations;

  const Type& type(ValueId v) const { return types[value_types[v]]; }
};

}  // namespace kbx::ir
