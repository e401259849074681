#include "model/value.h"

#include <cstring>

#include "base/check.h"

namespace kbx {

std::vector<int64_t> row_major(const std::vector<int64_t>& shape) {
  std::vector<int64_t> stride(shape.size());
  int64_t next = 1;
  for (size_t k = shape.size(); k-- > 0;) {
    stride[k] = next;
    next *= shape[k] > 1 ? shape[k] : 1;
  }
  return stride;
}

int64_t Tensor::numel() const {
  int64_t n = 1;
  for (int64_t d : shape) n *= d;
  return n;
}

std::vector<int64_t> Tensor::strides() const { return stride.empty() ? row_major(shape) : stride; }

bool Tensor::contiguous() const {
  if (offset != 0) return false;
  if (stride.empty() || numel() <= 1) return true;
  auto want = row_major(shape);
  for (size_t k = 0; k < shape.size(); k++)
    if (shape[k] > 1 && stride[k] != want[k]) return false;
  return true;
}

Tensor Tensor::dense() const {
  size_t width = size_of(dtype);
  int64_t n = numel();
  Bytes out(size_t(n) * width);
  auto st = strides();
  if (n > 0 && contiguous()) {
    KBX_CHECK(storage && storage->size() >= out.size());
    std::memcpy(out.data(), storage->data(), out.size());
    return make_tensor(dtype, shape, std::move(out));
  }
  std::vector<int64_t> index(shape.size(), 0);
  int64_t at = offset;
  for (int64_t k = 0; k < n; k++) {
    KBX_CHECK(at >= 0 && size_t(at + 1) * width <= storage->size());
    std::memcpy(out.data() + size_t(k) * width, storage->data() + size_t(at) * width, width);
    for (size_t d = shape.size(); d-- > 0;) {
      at += st[d];
      if (++index[d] < shape[d]) break;
      at -= st[d] * shape[d];
      index[d] = 0;
    }
  }
  return make_tensor(dtype, shape, std::move(out));
}

Tensor make_tensor(Dtype dtype, std::vector<int64_t> shape, Bytes bytes) {
  Tensor t;
  t.dtype = dtype;
  t.shape = std::move(shape);
  KBX_CHECK(size_t(t.numel()) * size_of(dtype) == bytes.size());
  t.storage = std::make_shared<const Bytes>(std::move(bytes));
  return t;
}

Value Value::of_tensor(Tensor t) {
  Value v;
  v.kind = ValueKind::tensor;
  v.tensor = std::move(t);
  return v;
}
Value Value::of_int(int64_t i) {
  Value v;
  v.kind = ValueKind::integer;
  v.integer = i;
  return v;
}
Value Value::of_float(double f) {
  Value v;
  v.kind = ValueKind::floating;
  v.floating = f;
  return v;
}
Value Value::of_bool(bool b) {
  Value v;
  v.kind = ValueKind::boolean;
  v.boolean = b;
  return v;
}
Value Value::of_string(std::string s) {
  Value v;
  v.kind = ValueKind::string;
  v.text = std::move(s);
  return v;
}

namespace {

void collect(const Value& value, const std::string& path, std::vector<TensorRef>& out) {
  if (value.kind == ValueKind::tensor) out.push_back({path, &value.tensor});
  for (size_t k = 0; k < value.items.size(); k++)
    collect(value.items[k], value.kind == ValueKind::dict ? path + "." + value.keys[k] : path + "[" + std::to_string(k) + "]", out);
}

}  // namespace

std::vector<TensorRef> tensors_of(const Value& value, const std::string& name) {
  std::vector<TensorRef> out;
  collect(value, name, out);
  return out;
}

std::string describe(const Value& v) {
  auto inside = [&] {
    std::string s;
    for (size_t k = 0; k < v.items.size(); k++) s += (k ? ", " : "") + (v.kind == ValueKind::dict ? v.keys[k] + ": " : "") + describe(v.items[k]);
    return s;
  };
  switch (v.kind) {
    case ValueKind::none: return "None";
    case ValueKind::boolean: return "bool";
    case ValueKind::integer: return "int";
    case ValueKind::floating: return "float";
    case ValueKind::string: return "str";
    case ValueKind::dtype: return "torch." + v.text;
    case ValueKind::device: return "torch.device";
    case ValueKind::generator: return "torch.Generator";
    case ValueKind::object: return v.text;
    case ValueKind::list: return "[" + inside() + "]";
    case ValueKind::tuple: return "(" + inside() + ")";
    case ValueKind::dict: return "{" + inside() + "}";
    case ValueKind::tensor: break;
  }
  std::string s = std::string(to_text(v.tensor.dtype)) + "[";
  for (size_t k = 0; k < v.tensor.shape.size(); k++) s += (k ? ", " : "") + std::to_string(v.tensor.shape[k]);
  return s + "]";
}

}  // namespace kbx
