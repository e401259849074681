// Source: the only file that speaks to tree-sitter.
#include "lint/source.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <memory>

#include "base/check.h"
#include "base/text.h"
#include "lint/plain_names.h"

extern "C" const TSLanguage* tree_sitter_python(void);

namespace kbx::lint {
namespace {

struct ParserDelete {
  void operator()(TSParser* p) const { ts_parser_delete(p); }
};
struct TreeDelete {
  void operator()(TSTree* t) const { ts_tree_delete(t); }
};
using Parser = std::unique_ptr<TSParser, ParserDelete>;
using Tree = std::unique_ptr<TSTree, TreeDelete>;

// Recovery from errors copies the skipped part at each skipped token: quadratic, minutes for a megabyte of dots. The
// parser can be stopped, but offers only a clock to decide when; its log counts the same on every machine. Text that is
// not Python at all (prose, C++) skipped at most 1500 tokens among the replies that were looked at.
struct SkipLimit {
  size_t left = 5000;
  size_t cancel = 0;  // tree-sitter stops when this becomes nonzero

  static void count(void* self, TSLogType type, const char* message) {
    auto* limit = static_cast<SkipLimit*>(self);
    if (type != TSLogTypeParse || !starts_with(message, "skip_token")) return;
    if (limit->left == 0)
      limit->cancel = 1;
    else
      limit->left--;
  }
};

// Python 2's statements are in the grammar, but are no Python now.
bool is_error(TSNode node) {
  std::string_view type = ts_node_type(node);
  return type == "ERROR" || ts_node_is_missing(node) || type == "print_statement" || type == "exec_statement";
}

struct CursorGuard {
  TSTreeCursor cursor;
  explicit CursorGuard(TSNode root) : cursor(ts_tree_cursor_new(root)) {}
  CursorGuard(const CursorGuard&) = delete;  // two owners of one C object
  ~CursorGuard() { ts_tree_cursor_delete(&cursor); }
};

}  // namespace

Source::Source(const std::string& text) : text_(plain_names(text)) {
  line_starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); i++)
    if (text_[i] == '\n') line_starts_.push_back(uint32_t(i + 1));
  if (text_.size() > kMaxSourceBytes) return;
  Parser parser(ts_parser_new());
  KBX_CHECK(parser && ts_parser_set_language(parser.get(), tree_sitter_python()));
  SkipLimit limit;
  ts_parser_set_cancellation_flag(parser.get(), &limit.cancel);
  ts_parser_set_logger(parser.get(), TSLogger{&limit, SkipLimit::count});
  Tree tree(ts_parser_parse_string(parser.get(), nullptr, text_.data(), uint32_t(text_.size())));
  if (!tree) return;
  readable_ = true;
  flatten(tree.get());
}

void Source::flatten(void* tree) {
  CursorGuard guard(ts_tree_root_node(static_cast<TSTree*>(tree)));
  TSTreeCursor* cursor = &guard.cursor;
  // open[d] is the node that stands for depth d of the cursor; kNoNode for punctuation and comments.
  std::vector<NodeId> open;
  bool down = true;
  while (true) {
    if (down) {
      TSNode node = ts_tree_cursor_current_node(cursor);
      const char* field = ts_tree_cursor_current_field_name(cursor);
      bool wanted = (ts_node_is_named(node) && !ts_node_is_extra(node)) || field || is_error(node);
      NodeId id = kNoNode;
      if (wanted && std::string_view(ts_node_type(node)) != "comment") {
        id = NodeId(nodes_.size());
        nodes_.push_back(Node{ts_node_type(node), field ? field : "", open.empty() ? kNoNode : open.back(), id + 1,
                              ts_node_start_byte(node), ts_node_end_byte(node), is_error(node)});
        has_errors_ |= nodes_.back().error;
      }
      if (id != kNoNode && ts_tree_cursor_goto_first_child(cursor)) {
        open.push_back(id);
        continue;
      }
    }
    if (ts_tree_cursor_goto_next_sibling(cursor)) {
      down = true;
      continue;
    }
    if (open.empty() || !ts_tree_cursor_goto_parent(cursor)) break;
    nodes_[open.back()].end = NodeId(nodes_.size());
    open.pop_back();
    down = false;
  }
}

std::string_view Source::text(NodeId id) const {
  const Node& n = nodes_[id];
  return std::string_view(text_).substr(n.begin_byte, n.end_byte - n.begin_byte);
}

Place Source::place(NodeId id) const {
  uint32_t byte = nodes_[id].begin_byte;
  auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), byte) - 1;
  int column = 1;
  for (uint32_t i = *line; i < byte; i++) column += (static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80;
  return {int(line - line_starts_.begin()) + 1, column};
}

NodeId Source::next(NodeId id) const {
  NodeId after = nodes_[id].end, up = nodes_[id].parent;
  return up != kNoNode && after < nodes_[up].end ? after : kNoNode;
}

std::vector<NodeId> Source::children(NodeId id) const {
  std::vector<NodeId> out;
  for (NodeId c = first(id); c != kNoNode; c = next(c)) out.push_back(c);
  return out;
}

NodeId Source::child(NodeId id, std::string_view field) const {
  for (NodeId c = first(id); c != kNoNode; c = next(c))
    if (nodes_[c].field == field) return c;
  return kNoNode;
}

NodeId Source::bare(NodeId id) const {
  while (id != kNoNode && nodes_[id].kind == "parenthesized_expression") id = first(id);
  return id;
}

}  // namespace kbx::lint
