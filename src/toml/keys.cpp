#include "toml/keys.h"

#include "base/check.h"

namespace kbx::toml {

using T = KeyType;

const Key* find_key(Keys keys, std::string_view name) {
  for (const Key& key : keys)
    if (key.name == name) return &key;
  return nullptr;
}
std::vector<std::string> key_names(Keys keys) {
  std::vector<std::string> out;
  for (const Key& key : keys) out.emplace_back(key.name);
  return out;
}

std::string_view describe(KeyType type) {
  switch (type) {
    case T::boolean:
      return "true or false";
    case T::integer:
      return "an integer";
    case T::number:
      return "a number";
    case T::string:
      return "a string";
    case T::strings:
      return "an array of strings";
    case T::integers:
      return "an array of integers";
    case T::numbers:
      return "an array of numbers (or \"nan\", \"inf\", \"max\", ... as strings)";
    case T::range:
      return "[low, high]";
    case T::switch_number:
      return "a number (or true/false)";
    case T::permute:
      return "pairs such as [[\"input\", -1]]";
    case T::roles:
      return "a table { role = \"argument\" }";
    case T::name_or_integer:
      return "an argument's name or an integer";
    case T::section:
      return "a table";
    case T::argument:
      return "a value";
    case T::arguments:
      return "a table { parameter = value }";
    case T::list:
      return "an array of values";
  }
  KBX_UNREACHABLE("KeyType");
}

}  // namespace kbx::toml
