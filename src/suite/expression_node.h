// The tree of an Expression, shared by its parser and its evaluator.
#pragma once
#include <memory>
#include <string>
#include <vector>

namespace kbx::suite {

struct ExpressionNode {
  enum class Kind : unsigned char {
    number,     // value
    name,       // text
    none,       // None
    string,     // text
    unary,      // text: "-", "not"
    binary,     // text: "+", "**", "<", "and", "is", ...
    call,       // text: function, children: arguments
    attribute,  // children[0].text
    index,      // children[0][children[1]]
    choose      // children: value, condition, otherwise
  };
  Kind kind = Kind::number;
  double value = 0;
  std::string text;
  size_t column = 1;
  std::vector<std::unique_ptr<ExpressionNode>> children;
};

}  // namespace kbx::suite
