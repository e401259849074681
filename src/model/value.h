// Value: one argument or one result of a call, as kbx writes it into a worker and as it is copied out again.
// A tree of scalars, names and tensors. Tensors own their bytes and are described by strides over a storage, so that
// non-contiguous inputs can be expressed; whatever comes back from a worker is contiguous.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/dtype.h"

namespace kbx {

using Bytes = std::vector<std::byte>;

struct Tensor {
  Dtype dtype = Dtype::f32;
  std::vector<int64_t> shape;      // elements
  std::vector<int64_t> stride;     // elements; empty = contiguous
  int64_t offset = 0;              // elements from the storage's start
  std::shared_ptr<const Bytes> storage;  // never null for a tensor with elements; shared because inputs are cached by case

  int64_t numel() const;
  bool contiguous() const;         // row-major and offset 0
  std::vector<int64_t> strides() const;  // stride, or the row-major ones
  // The elements in row-major order as a fresh contiguous tensor.
  Tensor dense() const;
  const std::byte* data() const { return storage ? storage->data() : nullptr; }
};
std::vector<int64_t> row_major(const std::vector<int64_t>& shape);
Tensor make_tensor(Dtype dtype, std::vector<int64_t> shape, Bytes bytes);  // contiguous; KBX_CHECKs the size

enum class ValueKind : unsigned char {
  none, boolean, integer, floating, string,
  dtype,      // torch.float32 ...: text holds kbx's dtype name
  device,     // torch.device("cuda")
  generator,  // torch.Generator on the device, seeded with `integer`
  tensor, list, tuple, dict,
  object      // something else came back: text holds its type's name (results only)
};

struct Value {
  ValueKind kind = ValueKind::none;
  bool boolean = false;
  int64_t integer = 0;
  double floating = 0;
  std::string text;                // string, dtype, object
  Tensor tensor;
  bool requires_grad = false;      // tensor arguments only
  std::vector<Value> items;        // list, tuple; dict: values
  std::vector<std::string> keys;   // dict

  static Value of_tensor(Tensor t);
  static Value of_int(int64_t v);
  static Value of_float(double v);
  static Value of_bool(bool v);
  static Value of_string(std::string v);
};

// One call of an entry point: positional values, then keywords.
struct Call {
  std::vector<Value> args;
  std::vector<std::pair<std::string, Value>> kwargs;
};

// Every tensor of a value / a call in a fixed order (depth first, positional before keywords), with a readable path
// such as "input", "params[1]" or "result[0]".
struct TensorRef {
  std::string path;
  const Tensor* tensor;
};
std::vector<TensorRef> tensors_of(const Value& value, const std::string& name);
std::string describe(const Value& value);  // "f32[3, 5]", "(f32[3], i64[3])", "None", "str"

}  // namespace kbx
