// View: a tensor's elements in row-major order, read as doubles whatever their dtype.
// f8, f16, bf16, f32, f64, bool and integers up to 53 bits are read exactly; larger i64 are rounded (exact.cpp compares
// those as integers). Keeps the tensor's storage alive; strided tensors are made dense once.
#pragma once
#include <complex>
#include <cstdint>
#include <vector>

#include "model/value.h"

namespace kbx::judge {

class View {
 public:
  View() = default;
  explicit View(const Tensor& tensor);

  Dtype dtype() const { return dense_.dtype; }
  const std::vector<int64_t>& shape() const { return dense_.shape; }
  int64_t count() const { return count_; }
  const std::byte* data() const { return dense_.data(); }

  double at(int64_t flat) const;  // real part of complex
  std::complex<double> complex_at(int64_t flat) const;
  // Elements [first, first + n) as doubles; not for complex dtypes.
  void load(int64_t first, int64_t n, double* out) const;
  std::vector<double> all() const;  // real dtypes
  std::vector<std::complex<double>> all_complex() const;

 private:
  Tensor dense_;
  int64_t count_ = 0;
};

// A leaf value as a tensor: tensors as they are, Python scalars as 0-d bool, i64 or f64. Leaves only.
Tensor leaf_tensor(const Value& value);
bool is_numeric_leaf(const Value& value);

// Row-major index of a flat position; empty for a scalar.
std::vector<int64_t> index_of(int64_t flat, const std::vector<int64_t>& shape);

}  // namespace kbx::judge
