// toml++ wrapped: its exceptions end here.
#include "toml/tree.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

// toml++ 3.3 asserts on some malformed keys: such a text must end as an error like any other, not as an abort.
namespace {
[[noreturn]] void toml_assertion_failed() {
  throw std::runtime_error("malformed in a way that toml++ does not explain");
}
}  // namespace
#define TOML_ASSERT(condition) (static_cast<bool>(condition) ? static_cast<void>(0) : toml_assertion_failed())
#include <toml++/toml.h>

namespace kbx::toml {

Node::Node() = default;
Node::Node(const Node&) = default;
Node::Node(Node&&) noexcept = default;
Node& Node::operator=(const Node&) = default;
Node& Node::operator=(Node&&) noexcept = default;
Node::~Node() = default;

namespace {

using Kind = Node::Kind;

void place(Node& node, const ::toml::source_region& source) {
  node.line = int(source.begin.line);
  node.column = int(source.begin.column);
}

Node convert(const ::toml::node& from) {
  Node to;
  place(to, from.source());
  if (const auto* table = from.as_table()) {
    to.kind = Kind::table;
    for (const auto& [key, value] : *table) {
      Node child = convert(value);
      if (key.source().begin.line) place(child, key.source());
      to.entries.emplace_back(std::string(key.str()), std::move(child));
    }
    // toml++ sorts by key; readers expect the file's order.
    std::stable_sort(to.entries.begin(), to.entries.end(), [](const auto& a, const auto& b) {
      return std::pair(a.second.line, a.second.column) < std::pair(b.second.line, b.second.column);
    });
  } else if (const auto* array = from.as_array()) {
    to.kind = Kind::array;
    for (const auto& item : *array) to.items.push_back(convert(item));
  } else if (const auto* s = from.as_string()) {
    to.kind = Kind::string;
    to.text = s->get();
  } else if (const auto* i = from.as_integer()) {
    to.kind = Kind::integer;
    to.integer = i->get();
  } else if (const auto* f = from.as_floating_point()) {
    to.kind = Kind::floating;
    to.floating = f->get();
  } else if (const auto* b = from.as_boolean()) {
    to.kind = Kind::boolean;
    to.boolean = b->get();
  } else {
    to.kind = Kind::date;
  }
  return to;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if (name == key) return &value;
  return nullptr;
}

Result<Node> parse(std::string_view text, const std::string& filename) {
  try {
    return convert(::toml::parse(text));
  } catch (const ::toml::parse_error& e) {
    const auto& at = e.source().begin;
    return fail(Code::usage, fmt::format("{}:{}:{}: not TOML: {}", filename, at.line, at.column, e.description()));
  } catch (const std::exception& e) {
    return fail(Code::usage, fmt::format("{}: not TOML: {}", filename, e.what()));
  }
}

Json to_json(const Node& node) {
  switch (node.kind) {
    case Kind::boolean:
      return node.boolean;
    case Kind::integer:
      return node.integer;
    case Kind::floating:
      return node.floating;
    case Kind::string:
      return node.text;
    case Kind::date:
      return nullptr;
    case Kind::array: {
      Json out = Json::array();
      for (const Node& item : node.items) out.push_back(to_json(item));
      return out;
    }
    case Kind::table:
      break;
  }
  Json out = Json::object();
  for (const auto& [key, value] : node.entries) out[key] = to_json(value);
  return out;
}

}  // namespace kbx::toml
