// TOML as a plain tree with positions: the only door to toml++ (a heavy header: tree.cpp alone includes it).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace kbx::toml {

struct Node {
  enum class Kind : unsigned char { boolean, integer, floating, string, array, table, date };
  Kind kind = Kind::table;
  int line = 0, column = 0;  // 1-based; of the key where there is one
  bool boolean = false;
  int64_t integer = 0;
  double floating = 0;
  std::string text;
  std::vector<Node> items;                            // array
  std::vector<std::pair<std::string, Node>> entries;  // table, in the file's order

  const Node* find(std::string_view key) const;  // nullptr when absent or not a table
  bool is_number() const { return kind == Kind::integer || kind == Kind::floating; }
  double number() const { return kind == Kind::integer ? double(integer) : floating; }

  // In the .cpp: a vector of pairs of this very type must not be made or copied before the type is complete (clang).
  Node();
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();
};

// Code::usage with "FILE:LINE:COLUMN: ..." when the text is not TOML 1.0.
Result<Node> parse(std::string_view text, const std::string& filename);
// For schema validation; dates become null.
Json to_json(const Node& node);

}  // namespace kbx::toml
