// Recursive descent with Python's precedences, so that a formula can be pasted into a Python shell.
#include "suite/expression.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "suite/expression_node.h"

namespace kbx::suite {
namespace {

using Node = ExpressionNode;
using NodePtr = std::unique_ptr<Node>;
using Kind = Node::Kind;
constexpr int kMaxDepth = 64;
constexpr size_t kMaxLength = 4000;  // bounds the depth of a tree such as 1+1+1+...

struct Function {
  std::string_view name;
  size_t least, most;
};
constexpr std::array<Function, 20> kFunctions{{{"min", 1, 16},
                                               {"max", 1, 16},
                                               {"ceil", 1, 1},
                                               {"floor", 1, 1},
                                               {"sqrt", 1, 1},
                                               {"log2", 1, 1},
                                               {"abs", 1, 1},
                                               {"numel", 1, 1},
                                               {"itemsize", 1, 1},
                                               {"nbytes", 1, 1},
                                               {"ndim", 1, 1},
                                               {"dim", 2, 2},
                                               {"size", 2, 2},
                                               {"len", 1, 1},
                                               {"at", 2, 2},
                                               {"broadcast", 2, 2},
                                               {"drop", 2, 2},
                                               {"windows", 5, 5},
                                               {"windows_ceil", 5, 5},
                                               {"product", 1, 1}}};

bool name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> whole() {
    KBX_TRY_ASSIGN(NodePtr root, choice());
    skip();
    if (at_ < text_.size()) return wrong("unexpected '" + std::string(1, text_[at_]) + "'");
    return root;
  }

 private:
  tl::unexpected<Error> wrong(const std::string& what) const {
    return fail(Code::usage, fmt::format("column {}: {}", at_ + 1, what));
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) at_++;
  }
  bool take(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    char next = at_ + token.size() < text_.size() ? text_[at_ + token.size()] : ' ';
    if (name_char(token[0]) && name_char(next)) return false;
    if ((token == "*" || token == "/") && next == token[0]) return false;  // "**" and "//" are other operators
    at_ += token.size();
    return true;
  }
  NodePtr make(Kind kind, std::string text) const {
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->text = std::move(text);
    node->column = at_ + 1;
    return node;
  }
  NodePtr join(Kind kind, std::string text, NodePtr a, NodePtr b) const {
    auto node = make(kind, std::move(text));
    node->children.push_back(std::move(a));
    if (b) node->children.push_back(std::move(b));
    return node;
  }

  // a if c else b
  Result<NodePtr> choice() {
    if (++depth_ > kMaxDepth) return wrong("nested too deeply");
    KBX_TRY_ASSIGN(NodePtr value, binary(0));
    if (take("if")) {
      KBX_TRY_ASSIGN(NodePtr condition, binary(0));
      if (!take("else")) return wrong("'else' is missing");
      KBX_TRY_ASSIGN(NodePtr otherwise, choice());
      value = join(Kind::choose, "if", std::move(value), std::move(condition));
      value->children.push_back(std::move(otherwise));
    }
    depth_--;
    return value;
  }

  static std::vector<std::string_view> operators(size_t level) {
    switch (level) {
      case 0:
        return {"or"};
      case 1:
        return {"and"};
      case 2:
        return {"is not", "is", "<=", ">=", "==", "!=", "<", ">"};
      case 3:
        return {"+", "-"};
      default:
        return {"*", "//", "/", "%"};
    }
  }
  // Left-associative levels, loosest first.
  Result<NodePtr> binary(size_t level) {
    if (level == 5) return unary();
    KBX_TRY_ASSIGN(NodePtr left, binary(level + 1));
    for (;;) {
      auto all = operators(level);
      auto op = std::find_if(all.begin(), all.end(), [&](std::string_view o) { return take(o); });
      if (op == all.end()) return left;
      KBX_TRY_ASSIGN(NodePtr right, binary(level + 1));
      left = join(Kind::binary, std::string(*op), std::move(left), std::move(right));
    }
  }

  Result<NodePtr> unary() {
    for (std::string_view op : {"-", "+", "not"}) {
      if (!take(op)) continue;
      if (++depth_ > kMaxDepth) return wrong("nested too deeply");
      KBX_TRY_ASSIGN(NodePtr inner, unary());
      depth_--;
      if (op == "+") return inner;
      return join(Kind::unary, std::string(op), std::move(inner), nullptr);
    }
    return power();
  }
  // ** binds tighter than a minus on its left and looser than one on its right.
  Result<NodePtr> power() {
    KBX_TRY_ASSIGN(NodePtr base, postfix());
    if (!take("**")) return base;
    if (++depth_ > kMaxDepth) return wrong("nested too deeply");
    KBX_TRY_ASSIGN(NodePtr exponent, unary());
    depth_--;
    return join(Kind::binary, "**", std::move(base), std::move(exponent));
  }

  Result<NodePtr> postfix() {
    KBX_TRY_ASSIGN(NodePtr node, atom());
    for (int links = 0; links < kMaxDepth; links++) {
      if (take("[")) {
        KBX_TRY_ASSIGN(NodePtr index, choice());
        if (!take("]")) return wrong("']' is missing");
        node = join(Kind::index, "[]", std::move(node), std::move(index));
      } else if (take(".")) {
        std::string name = word();
        if (name != "shape" && name != "ndim" && name != "itemsize")
          return wrong(fmt::format("no attribute '{}'; known: shape, ndim, itemsize", name));
        node = join(Kind::attribute, name, std::move(node), nullptr);
      } else {
        return node;
      }
    }
    return wrong("too many indices");
  }

  std::string word() {
    skip();
    size_t begin = at_;
    while (at_ < text_.size() && name_char(text_[at_])) at_++;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Result<NodePtr> atom() {
    skip();
    if (at_ == text_.size()) return wrong("an operand is missing");
    char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (take("(")) {
      KBX_TRY_ASSIGN(NodePtr inner, choice());
      if (!take(")")) return wrong("')' is missing");
      return inner;
    }
    if (c == '\'') return quoted();
    if (!name_char(c)) return wrong(fmt::format("unexpected '{}'", c));
    auto node = make(Kind::name, "");
    node->text = word();
    if (node->text == "None") node->kind = Kind::none;
    if (node->text == "True" || node->text == "False") {
      node->kind = Kind::number;
      node->value = node->text == "True";
    }
    skip();
    if (at_ < text_.size() && text_[at_] == '(') return call(std::move(node));
    return node;
  }

  // 'text', to compare a string argument with; no escapes.
  Result<NodePtr> quoted() {
    size_t end = text_.find('\'', at_ + 1);
    if (end == text_.npos) return wrong("a ' is missing");
    auto node = make(Kind::string, std::string(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
    return node;
  }

  Result<NodePtr> call(NodePtr node) {
    auto f =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& g) { return g.name == node->text; });
    if (f == kFunctions.end()) {
      std::string known;
      for (const Function& g : kFunctions) known += (known.empty() ? "" : ", ") + std::string(g.name);
      return fail(Code::usage, fmt::format("column {}: no function '{}'; known: {}", node->column, node->text, known));
    }
    node->kind = Kind::call;
    take("(");
    while (!take(")")) {
      if (!node->children.empty() && !take(",")) return wrong("',' or ')' is missing");
      KBX_TRY_ASSIGN(NodePtr argument, choice());
      node->children.push_back(std::move(argument));
    }
    size_t n = node->children.size();
    if (n < f->least || n > f->most)
      return fail(Code::usage, fmt::format("column {}: {}() takes {} argument{}, not {}", node->column, f->name,
                                           f->least, f->least == 1 ? "" : "s", n));
    return node;
  }

  Result<NodePtr> number() {
    auto node = make(Kind::number, "");
    const char* first = text_.data() + at_;
    auto r = std::from_chars(first, text_.data() + text_.size(), node->value);
    if (r.ec != std::errc()) return wrong("not a number");
    at_ += size_t(r.ptr - first);
    if (at_ < text_.size() && name_char(text_[at_])) return wrong("not a number");
    return node;
  }

  std::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
};

void collect(const Node& node, std::vector<std::string>& out) {
  if (node.kind == Kind::name && std::find(out.begin(), out.end(), node.text) == out.end()) out.push_back(node.text);
  for (const NodePtr& child : node.children) collect(*child, out);
}

}  // namespace

Expression::Expression(std::unique_ptr<ExpressionNode> root) : root_(std::move(root)) {}
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > kMaxLength) return fail(Code::usage, fmt::format("longer than {} characters", kMaxLength));
  KBX_TRY_ASSIGN(NodePtr root, Parser(text).whole());
  return Expression(std::move(root));
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> out;
  collect(*root_, out);
  return out;
}

Result<double> evaluate(std::string_view expression, const Signature& signature, const Call& call) {
  KBX_TRY_ASSIGN(Expression parsed, Expression::parse(expression));
  KBX_TRY_ASSIGN(auto arguments, bind(signature, call));
  return parsed.evaluate(arguments);
}

}  // namespace kbx::suite
