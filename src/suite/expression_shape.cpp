// Shape arithmetic: see the header.
#include "suite/expression_shape.h"

#include <algorithm>
#include <cmath>

namespace kbx::suite {
namespace {

Result<void> mark(const Value& dim, std::vector<bool>& gone) {
  if (dim.kind == ValueKind::none) {
    std::fill(gone.begin(), gone.end(), true);
    return {};
  }
  if (dim.kind == ValueKind::list || dim.kind == ValueKind::tuple) {
    for (const Value& d : dim.items) KBX_TRY(mark(d, gone));
    return {};
  }
  auto n = double(gone.size());
  double k = dim.kind == ValueKind::floating ? dim.floating : dim.kind == ValueKind::integer ? double(dim.integer) : NAN;
  // A scalar has one dim that is not there.
  if (n == 0 && (k == 0 || k == -1)) return {};
  if (!(k >= -n && k < n) || k != std::floor(k)) return fail(Code::usage, "no such dim");
  gone[size_t(k < 0 ? k + n : k)] = true;
  return {};
}

}  // namespace

Result<Tensor> broadcast(const Tensor& a, const Tensor& b) {
  Tensor out{.dtype = a.dtype, .shape = a.shape.size() >= b.shape.size() ? a.shape : b.shape};
  const auto& other = a.shape.size() >= b.shape.size() ? b.shape : a.shape;
  size_t skip = out.shape.size() - other.size();
  for (size_t k = 0; k < other.size(); k++) {
    int64_t &x = out.shape[skip + k], y = other[k];
    if (x != y && x != 1 && y != 1) return fail(Code::usage, "the shapes do not broadcast");
    if (x == 1) x = y;
  }
  return out;
}

Result<Tensor> drop(const Tensor& t, const Value& dim) {
  std::vector<bool> gone(t.shape.size(), false);
  KBX_TRY(mark(dim, gone));
  Tensor out{.dtype = t.dtype};
  for (size_t k = 0; k < t.shape.size(); k++)
    if (!gone[k]) out.shape.push_back(t.shape[k]);
  return out;
}

double windows(double n, const Window& w) { return std::floor((n + 2 * w.padding - w.dilation * (w.kernel - 1) - 1) / w.stride) + 1; }

double windows_ceil(double n, const Window& w) {
  double count = std::ceil((n + 2 * w.padding - w.dilation * (w.kernel - 1) - 1) / w.stride) + 1;
  return (count - 1) * w.stride >= n + w.padding ? count - 1 : count;
}

int64_t distinct_elements(const Tensor& t) {
  auto strides = t.strides();
  int64_t n = 1;
  for (size_t k = 0; k < t.shape.size(); k++)
    if (t.shape[k] == 0 || strides[k] != 0) n *= t.shape[k];
  return n;
}

double product(const Value& v) {
  double out = v.kind == ValueKind::integer ? double(v.integer) : v.kind == ValueKind::floating ? v.floating : 1;
  for (const Value& item : v.items) out *= product(item);
  return out;
}

}  // namespace kbx::suite
