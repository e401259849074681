// Evaluation: a node is either a number or an argument's value (a tensor, a list, None, a shape).
#include <fmt/core.h>

#include <cmath>
#include <optional>

#include "suite/expression.h"
#include "suite/expression_node.h"
#include "suite/expression_shape.h"

namespace kbx::suite {
namespace {

using Node = ExpressionNode;
using Kind = Node::Kind;

class Evaluator {
 public:
  explicit Evaluator(const std::vector<Bound>& arguments) : arguments_(arguments) {}

  Result<double> number(const Node& node) const {
    KBX_TRY_ASSIGN(Value v, value(node));
    switch (v.kind) {
      case ValueKind::integer:
        return double(v.integer);
      case ValueKind::floating:
        return v.floating;
      case ValueKind::boolean:
        return double(v.boolean);
      default:
        return wrong(node, fmt::format("a number is needed, this is {}", describe(v)));
    }
  }

 private:
  static tl::unexpected<Error> wrong(const Node& node, const std::string& what) {
    return fail(Code::usage, fmt::format("column {}: {}", node.column, what));
  }

  Result<Value> value(const Node& node) const {
    switch (node.kind) {
      case Kind::number:
        return Value::of_float(node.value);
      case Kind::none:
        return Value{};
      case Kind::string:
        return Value::of_string(node.text);
      case Kind::name: {
        const Value* v = find_argument(arguments_, node.text);
        if (!v) return wrong(node, fmt::format("'{}' is no argument", node.text));
        return *v;
      }
      case Kind::unary: {
        KBX_TRY_ASSIGN(double x, number(*node.children[0]));
        return Value::of_float(node.text == "-" ? -x : double(x == 0));
      }
      case Kind::binary:
        return binary(node);
      case Kind::call:
        return call(node);
      case Kind::attribute:
        return attribute(node);
      case Kind::index:
        return index(node);
      case Kind::choose: {
        KBX_TRY_ASSIGN(double condition, number(*node.children[1]));
        return value(*node.children[condition != 0 ? 0 : 2]);
      }
    }
    return wrong(node, "not evaluable");
  }

  Result<Value> binary(const Node& node) const {
    const std::string& op = node.text;
    if (op == "is" || op == "is not") {
      if (node.children[1]->kind != Kind::none) return wrong(node, "'is' compares with None only");
      KBX_TRY_ASSIGN(Value v, value(*node.children[0]));
      return Value::of_bool((v.kind == ValueKind::none) == (op == "is"));
    }
    if (op == "==" || op == "!=") {
      KBX_TRY_ASSIGN(Value left, value(*node.children[0]));
      KBX_TRY_ASSIGN(Value right, value(*node.children[1]));
      // As in Python a string differs from everything else.
      bool strings = left.kind == ValueKind::string || right.kind == ValueKind::string;
      if (strings) return Value::of_bool((left.kind == right.kind && left.text == right.text) == (op == "=="));
    }
    KBX_TRY_ASSIGN(double a, number(*node.children[0]));
    if (op == "and" && a == 0) return Value::of_float(a);
    if (op == "or" && a != 0) return Value::of_float(a);
    KBX_TRY_ASSIGN(double b, number(*node.children[1]));
    if (op == "and" || op == "or") return Value::of_float(b);
    if ((op == "/" || op == "//" || op == "%") && b == 0) return wrong(node, "division by zero");
    if (op == "+") return Value::of_float(a + b);
    if (op == "-") return Value::of_float(a - b);
    if (op == "*") return Value::of_float(a * b);
    if (op == "/") return Value::of_float(a / b);
    if (op == "//") return Value::of_float(std::floor(a / b));
    if (op == "%") return Value::of_float(a - b * std::floor(a / b));
    if (op == "**") return Value::of_float(std::pow(a, b));
    bool truth = op == "<"    ? a < b
                 : op == ">"  ? a > b
                 : op == "<=" ? a <= b
                 : op == ">=" ? a >= b
                 : op == "==" ? a == b
                              : a != b;
    return Value::of_bool(truth);
  }

  // The tensors of a tensor, a list or None: what numel and nbytes sum over.
  Result<std::vector<Tensor>> tensors(const Node& node) const {
    KBX_TRY_ASSIGN(Value v, value(node));
    std::vector<Tensor> out;
    if (v.kind == ValueKind::none) return out;
    for (const TensorRef& ref : tensors_of(v, "")) out.push_back(*ref.tensor);
    if (out.empty() && v.items.empty() && v.kind != ValueKind::list && v.kind != ValueKind::tuple)
      return wrong(node, fmt::format("a tensor is needed, this is {}", describe(v)));
    return out;
  }

  Result<Value> call(const Node& node) const {
    const std::string& f = node.text;
    const Node& first = *node.children[0];
    if (f == "len") {
      KBX_TRY_ASSIGN(Value v, value(first));
      if (v.kind != ValueKind::list && v.kind != ValueKind::tuple) return wrong(node, "len() takes a list");
      return Value::of_int(int64_t(v.items.size()));
    }
    if (f == "at" || f == "product" || f == "broadcast" || f == "drop") return shape_call(node);
    if (f == "windows" || f == "windows_ceil") return window_call(node);
    if (f == "numel" || f == "nbytes" || f == "itemsize" || f == "ndim" || f == "dim" || f == "size")
      return about(node);
    KBX_TRY_ASSIGN(double x, number(first));
    if (f == "ceil") return Value::of_float(std::ceil(x));
    if (f == "floor") return Value::of_float(std::floor(x));
    if (f == "sqrt") return Value::of_float(std::sqrt(x));
    if (f == "log2") return Value::of_float(std::log2(x));
    if (f == "abs") return Value::of_float(std::fabs(x));
    for (size_t k = 1; k < node.children.size(); k++) {
      KBX_TRY_ASSIGN(double y, number(*node.children[k]));
      x = f == "min" ? std::min(x, y) : std::max(x, y);
    }
    return Value::of_float(x);
  }

  Result<Value> shape_call(const Node& node) const {
    const std::string& f = node.text;
    KBX_TRY_ASSIGN(Value v, value(*node.children[0]));
    if (f == "product") return Value::of_float(product(v));
    if (f == "at") {
      // A parameter may be one number for all dims, or a list of them; a list of one stands for all too.
      if (v.kind != ValueKind::list && v.kind != ValueKind::tuple) return v;
      if (v.items.size() == 1) return v.items[0];
      KBX_TRY_ASSIGN(double k, number(*node.children[1]));
      return item(node, v, k);
    }
    if (v.kind != ValueKind::tensor) return wrong(node, fmt::format("a tensor is needed, this is {}", describe(v)));
    KBX_TRY_ASSIGN(Value w, value(*node.children[1]));
    if (f == "broadcast" && w.kind != ValueKind::tensor) return v;  // a number, or nothing
    auto out = f == "drop" ? drop(v.tensor, w) : broadcast(v.tensor, w.tensor);
    if (!out) return wrong(node, out.error().message);
    return Value::of_tensor(std::move(*out));
  }

  Result<Value> window_call(const Node& node) const {
    double v[5];
    for (size_t k = 0; k < 5; k++) {
      KBX_TRY_ASSIGN(v[k], number(*node.children[k]));
    }
    if (v[2] == 0) return wrong(node, "division by zero");
    Window w{v[1], v[2], v[3], v[4]};
    return Value::of_float(node.text == "windows" ? windows(v[0], w) : windows_ceil(v[0], w));
  }

  Result<Value> about(const Node& node) const {
    const std::string& f = node.text;
    if (f == "itemsize" || f == "nbytes") {
      KBX_TRY_ASSIGN(Value v, value(*node.children[0]));
      bool number = v.kind == ValueKind::integer || v.kind == ValueKind::floating || v.kind == ValueKind::boolean;
      if (f == "nbytes" && number) return Value::of_int(0);  // travels with the launch
      if (v.kind == ValueKind::dtype)
        if (auto dtype = dtype_from_text(v.text)) return Value::of_int(int64_t(size_of(*dtype)));
    }
    KBX_TRY_ASSIGN(auto all, tensors(*node.children[0]));
    int64_t sum = 0;
    if (f == "numel" || f == "nbytes") {
      for (const Tensor& t : all) sum += f == "nbytes" ? distinct_elements(t) * int64_t(size_of(t.dtype)) : t.numel();
      return Value::of_int(sum);
    }
    if (all.empty()) return Value::of_int(0);
    if (f == "itemsize") return Value::of_int(int64_t(size_of(all[0].dtype)));
    if (f == "ndim") return Value::of_int(int64_t(all[0].shape.size()));
    KBX_TRY_ASSIGN(Value k, value(*node.children[1]));
    return extent(node, all[0], k);
  }

  // As PyTorch reads a `dim` argument: one dim, several (their product), or None (all).
  Result<Value> extent(const Node& node, const Tensor& t, const Value& dim) const {
    if (dim.kind == ValueKind::none) return Value::of_int(t.numel());
    if (dim.kind == ValueKind::integer) return item(node, shape_of(t), double(dim.integer));
    if (dim.kind == ValueKind::floating) return item(node, shape_of(t), dim.floating);
    if (dim.kind != ValueKind::list && dim.kind != ValueKind::tuple)
      return wrong(node, fmt::format("a dim is needed, this is {}", describe(dim)));
    int64_t product = 1;
    for (const Value& d : dim.items) {
      KBX_TRY_ASSIGN(Value one, extent(node, t, d));
      product *= one.integer;
    }
    return Value::of_int(product);
  }

  static Value shape_of(const Tensor& t) {
    Value shape;
    shape.kind = ValueKind::tuple;
    for (int64_t d : t.shape) shape.items.push_back(Value::of_int(d));
    return shape;
  }
  static Result<Value> item(const Node& node, const Value& list, double k) {
    auto n = double(list.items.size());
    if (k != std::floor(k) || k < -n || k >= n) return wrong(node, fmt::format("no index {}: there are {}", k, n));
    return list.items[size_t(k < 0 ? k + n : k)];
  }

  Result<Value> attribute(const Node& node) const {
    KBX_TRY_ASSIGN(Value v, value(*node.children[0]));
    if (v.kind != ValueKind::tensor) return wrong(node, fmt::format(".{} of {}", node.text, describe(v)));
    if (node.text == "shape") return shape_of(v.tensor);
    return Value::of_int(node.text == "ndim" ? int64_t(v.tensor.shape.size()) : int64_t(size_of(v.tensor.dtype)));
  }

  Result<Value> index(const Node& node) const {
    KBX_TRY_ASSIGN(Value list, value(*node.children[0]));
    KBX_TRY_ASSIGN(double k, number(*node.children[1]));
    if (list.kind != ValueKind::list && list.kind != ValueKind::tuple) return wrong(node, "only a list can be indexed");
    return item(node, list, k);
  }

  const std::vector<Bound>& arguments_;
};

}  // namespace

Result<double> Expression::evaluate(const std::vector<Bound>& arguments) const {
  KBX_TRY_ASSIGN(double result, Evaluator(arguments).number(*root_));
  if (!std::isfinite(result)) return fail(Code::usage, "the result is not finite");
  return result;
}

}  // namespace kbx::suite
