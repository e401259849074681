// Keys of a TOML table: name, type, what it is for. One such table is what a reader checks against, and what documentation
// and a JSON Schema can be made from.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::toml {

enum class KeyType : unsigned char {
  boolean,
  integer,
  number,
  string,
  strings,
  integers,
  numbers,
  range,          // range: [low, high]
  switch_number,  // a number, or a boolean that counts as 0/1
  permute,        // [["argument", dim], ...]
  roles,          // { role = "argument" }
  name_or_integer,
  section,  // a table with its own keys
  argument,
  arguments,  // a value of `args`; a table of them
  list        // an array of values
};

// For tables whose keys depend on a kind that another key names: bit k set: the key belongs to kind k.
using KindMask = unsigned;
inline constexpr KindMask kEveryKind = ~0u;

struct Key {
  std::string_view name;
  KeyType type;
  bool required = false;
  std::string_view doc;
  std::vector<std::string_view> allowed = {};  // the only texts accepted; empty = any
  KindMask kinds = kEveryKind;
};
using Keys = std::span<const Key>;

const Key* find_key(Keys keys, std::string_view name);
std::vector<std::string> key_names(Keys keys);
std::string_view describe(KeyType type);  // "a string", "an array of strings"

}  // namespace kbx::toml
