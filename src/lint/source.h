// Source: Python text parsed by tree-sitter into a flat array of nodes in pre-order.
// The text is hostile: its size and the parser's work are bounded, and no walk here or in the rules recurses over the
// tree (a subtree is the range [id, nodes[id].end)). tree-sitter never refuses text: what it cannot read becomes error
// nodes; whether the text is Python is decided by Python at import.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kbx::lint {

using NodeId = uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;
inline constexpr size_t kMaxSourceBytes = 1 << 20;  // the longest real candidate seen has 40 KB

struct Node {
  std::string_view kind;   // grammar's name: "call", "identifier", "ERROR"; static storage
  std::string_view field;  // role in the parent: "function", "left"; empty = none
  NodeId parent = kNoNode;
  NodeId end = 0;  // one past the last node of the subtree
  uint32_t begin_byte = 0, end_byte = 0;
  bool error = false;  // ERROR, or a token that the parser had to invent
};

struct Place {
  int line = 0;    // 1-based
  int column = 0;  // 1-based, in Unicode code points
};

class Source {
 public:
  explicit Source(const std::string& text);

  // False: the text was too large or too costly to parse; there are no nodes then.
  bool readable() const { return readable_; }
  // Something in the text is not Python as tree-sitter knows it.
  bool has_errors() const { return has_errors_; }

  size_t size() const { return nodes_.size(); }
  const Node& at(NodeId id) const { return nodes_[id]; }
  std::string_view kind(NodeId id) const { return nodes_[id].kind; }
  std::string_view text(NodeId id) const;
  std::string_view text() const { return text_; }  // as plain_names() has it
  Place place(NodeId id) const;

  // Direct children: for (NodeId c = first(id); c != kNoNode; c = next(c)). Comments and punctuation are not nodes.
  NodeId first(NodeId id) const { return id + 1 < nodes_[id].end ? id + 1 : kNoNode; }
  NodeId next(NodeId id) const;
  std::vector<NodeId> children(NodeId id) const;
  NodeId child(NodeId id, std::string_view field) const;  // the first with that role, or kNoNode
  NodeId parent(NodeId id) const { return nodes_[id].parent; }
  bool inside(NodeId id, NodeId outer) const { return id >= outer && id < nodes_[outer].end; }
  // `id` without parentheses around it.
  NodeId bare(NodeId id) const;

 private:
  void flatten(void* tree);

  std::string text_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> line_starts_;
  bool readable_ = false;
  bool has_errors_ = false;
};

}  // namespace kbx::lint
