// The keys of task.toml, one table a section: what the parser checks and what the JSON Schema says.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace kbx::suite {

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

// Bit k set: the key belongs to OracleKind(k). Outside [oracle] unused.
using OracleMask = unsigned;
inline constexpr OracleMask kEveryOracle = ~0u;

struct Key {
  std::string_view name;
  KeyType type;
  bool required = false;
  std::string_view doc;
  std::vector<std::string_view> allowed = {};  // the only texts accepted; empty = any
  OracleMask oracles = kEveryOracle;
};
using Keys = std::span<const Key>;

Keys task_keys();
Keys oracle_keys();
Keys paper_bound_keys();  // [oracle] paper = { ... }
Keys outlier_keys();
Keys case_keys();
Keys perf_keys();
Keys cost_keys();
Keys tensor_keys();         // of a tensor argument, without its distribution's parameters
Keys special_value_keys();  // { none = true } and friends: exactly one of them

const Key* find_key(Keys keys, std::string_view name);
std::vector<std::string> key_names(Keys keys);
std::string_view describe(KeyType type);  // "a string", "an array of strings"

}  // namespace kbx::suite
