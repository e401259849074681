// Expression: the arithmetic of [cost], over the arguments of one call.
//   numbers, + - * / // % **, parentheses, min max ceil floor sqrt log2 abs
//   comparisons and `a if c else b` as in Python (True is 1)
//   numel(x) itemsize(x) nbytes(x) ndim(x) dim(x, k) size(x, k) len(list); x.ndim x.itemsize x.shape[k]
//   at(v, k): v itself, or the k-th of a list v (its only one, if it has one); product(list)
//   broadcast(x, y), drop(x, k): x in the shape both are broadcast to; x without dims
//   windows(n, kernel, stride, padding, dilation), windows_ceil(...): outputs of a convolution or pooling along a dim
//   'text' == names of string arguments
//   names of scalar arguments (bool is 0/1), list[k], `x is None`
// x is a tensor argument or an element of a list; of a list numel and nbytes are sums; of None everything is 0.
// nbytes counts what lies in memory: an expanded dim once. itemsize takes a dtype argument too; a number has 0 bytes.
// k is one dim, a list of dims (the product of their sizes) or None (all of them): what a `dim` argument may be.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "suite/binding.h"

namespace kbx::suite {

struct ExpressionNode;

class Expression {
 public:
  // The error names the 1-based column.
  static Result<Expression> parse(std::string_view text);
  // An error when a name is no argument, an argument is not a number, an index is out of range, or the result is not
  // finite (division by zero).
  Result<double> evaluate(const std::vector<Bound>& arguments) const;
  // Argument names it uses, each once.
  std::vector<std::string> names() const;

  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

 private:
  explicit Expression(std::unique_ptr<ExpressionNode> root);
  std::unique_ptr<ExpressionNode> root_;
};

// parse + bind + evaluate in one step.
Result<double> evaluate(std::string_view expression, const Signature& signature, const Call& call);

}  // namespace kbx::suite
