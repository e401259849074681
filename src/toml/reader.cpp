// Type checks by table.
#include "toml/reader.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace kbx::toml {
namespace {

using Kind = Node::Kind;
using T = KeyType;

template <class Test>
bool array_of(const Node& node, Test test) {
  return node.kind == Kind::array && std::all_of(node.items.begin(), node.items.end(), test);
}
bool is_string(const Node& n) { return n.kind == Kind::string; }
bool is_integer(const Node& n) { return n.kind == Kind::integer; }

bool has_type(const Node& n, KeyType type) {
  switch (type) {
    case T::boolean:
      return n.kind == Kind::boolean;
    case T::integer:
      return is_integer(n);
    case T::number:
      return n.is_number();
    case T::switch_number:
      return n.is_number() || n.kind == Kind::boolean;
    case T::string:
      return is_string(n);
    case T::name_or_integer:
      return is_string(n) || is_integer(n);
    case T::strings:
      return array_of(n, is_string);
    case T::integers:
      return array_of(n, is_integer);
    case T::numbers:
      return array_of(n, [](const Node& v) { return v.is_number() || is_string(v) || v.kind == Kind::boolean; });
    case T::range:
      return n.items.size() == 2 && array_of(n, [](const Node& v) { return v.is_number(); });
    case T::permute:
      return array_of(n, [](const Node& v) {
        return v.kind == Kind::array && v.items.size() == 2 && is_string(v.items[0]) && is_integer(v.items[1]);
      });
    case T::roles:
      return n.kind == Kind::table &&
             std::all_of(n.entries.begin(), n.entries.end(), [](const auto& e) { return is_string(e.second); });
    case T::arguments:
      return n.kind == Kind::table;
    case T::list:
      return n.kind == Kind::array;
    case T::section:
      return n.kind == Kind::table || n.kind == Kind::array;
    case T::argument:
      return true;
  }
  return false;
}

}  // namespace

void Faults::add(const Node& at, const std::string& what) {
  faults_.push_back({at.line, at.column, fmt::format("{}:{}:{}: {}", filename_, at.line, at.column, what)});
}

std::string Faults::text() const {
  auto sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Fault& a, const Fault& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  std::vector<std::string> lines;
  for (const Fault& f : sorted) lines.push_back(f.text);
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  auto near = nearest(name, known, 1);
  if (!near.empty()) return fmt::format("; did you mean '{}'?", near[0]);
  if (known.empty()) return "";
  return fmt::format("; known: {}", fmt::join(known, ", "));
}

bool check_type(Faults& faults, const Node& node, const Key& key) {
  if (!has_type(node, key.type)) {
    faults.add(node, fmt::format("'{}' must be {}", key.name, describe(key.type)));
    return false;
  }
  if (key.allowed.empty() || node.kind != Kind::string) return true;
  std::vector<std::string> allowed(key.allowed.begin(), key.allowed.end());
  if (std::find(allowed.begin(), allowed.end(), node.text) != allowed.end()) return true;
  auto near = nearest(node.text, allowed, 1);
  faults.add(
      node, fmt::format("{} = \"{}\" is not known{}; one of: {}", key.name, node.text,
                        near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near[0]), fmt::join(allowed, ", ")));
  return false;
}

void check_table(Faults& faults, const Node& table, Keys keys, std::string_view where,
                 const std::vector<std::string>& passed_over) {
  auto passed = [&](const std::string& name) {
    return std::find(passed_over.begin(), passed_over.end(), name) != passed_over.end();
  };
  auto known = key_names(keys);
  known.insert(known.end(), passed_over.begin(), passed_over.end());
  for (const auto& [name, value] : table.entries) {
    if (passed(name)) continue;
    if (const Key* key = find_key(keys, name))
      check_type(faults, value, *key);
    else
      faults.add(value, fmt::format("{}: unknown key '{}'{}", where, name, did_you_mean(name, known)));
  }
  for (const Key& key : keys)
    if (key.required && !table.find(key.name))
      faults.add(table, fmt::format("{}: '{}' is missing ({}: {})", where, key.name, describe(key.type), key.doc));
}

bool read_bool(const Node& table, std::string_view key, bool fallback) {
  const Node* n = table.find(key);
  return n && n->kind == Kind::boolean ? n->boolean : fallback;
}
int64_t read_int(const Node& table, std::string_view key, int64_t fallback) {
  const Node* n = table.find(key);
  return n && n->kind == Kind::integer ? n->integer : fallback;
}
double read_number(const Node& table, std::string_view key, double fallback) {
  const Node* n = table.find(key);
  return n && n->is_number() ? n->number() : fallback;
}
std::string read_string(const Node& table, std::string_view key) {
  const Node* n = table.find(key);
  return n && n->kind == Kind::string ? n->text : std::string();
}
std::vector<std::string> read_strings(const Node& table, std::string_view key) {
  std::vector<std::string> out;
  if (const Node* n = table.find(key))
    for (const Node& item : n->items)
      if (item.kind == Kind::string) out.push_back(item.text);
  return out;
}

}  // namespace kbx::toml
