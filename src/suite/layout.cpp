// Each layout is a shape and strides over a storage; the dense elements are copied to their places.
#include "suite/layout.h"

#include <cstring>
#include <numeric>

#include "base/check.h"
#include "suite/fill.h"

namespace kbx::suite {
namespace {

using K = Layout::Kind;

size_t wrap(int64_t dim, size_t rank) { return size_t(dim < 0 ? dim + int64_t(rank) : dim); }

// Row-major strides of the dims in the given order (outermost first).
std::vector<int64_t> strides_in_order(const std::vector<int64_t>& shape, const std::vector<size_t>& order) {
  std::vector<int64_t> stride(shape.size());
  int64_t next = 1;
  for (size_t k = order.size(); k-- > 0;) {
    stride[order[k]] = next;
    next *= shape[order[k]] > 1 ? shape[order[k]] : 1;
  }
  return stride;
}

// Copies dense row-major elements to offset + index . stride.
void scatter(const Tensor& t, const Bytes& dense, Bytes& storage) {
  size_t width = size_of(t.dtype);
  std::vector<int64_t> index(t.shape.size(), 0);
  int64_t at = t.offset, n = t.numel();
  for (int64_t k = 0; k < n; k++) {
    std::memcpy(storage.data() + size_t(at) * width, dense.data() + size_t(k) * width, width);
    for (size_t d = t.shape.size(); d-- > 0;) {
      at += t.stride[d];
      if (++index[d] < t.shape[d]) break;
      at -= t.stride[d] * t.shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

std::vector<int64_t> drawn_shape(const TensorSpec& spec, const Layout& layout) {
  auto shape = spec.shape;
  if (layout.kind == K::expanded) shape[wrap(layout.a, shape.size())] = 1;
  return shape;
}

Tensor lay_out(const TensorSpec& spec, const Layout& layout, Bytes dense) {
  if (layout.kind == K::contiguous) return make_tensor(spec.dtype, spec.shape, std::move(dense));
  Tensor t;
  t.dtype = spec.dtype;
  t.shape = drawn_shape(spec, layout);
  size_t rank = t.shape.size();
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t(0));
  if (layout.kind == K::transposed) std::swap(order[wrap(layout.a, rank)], order[wrap(layout.b, rank)]);
  if (layout.kind == K::channels_last) order = {0, 2, 3, 1};
  t.stride = strides_in_order(t.shape, order);
  int64_t elements = t.numel();
  if (layout.kind == K::strided) {
    for (int64_t& s : t.stride) s *= layout.a;
    elements *= layout.a;
  }
  if (layout.kind == K::offset) {
    t.offset = layout.a;
    elements += layout.a;
  }
  Bytes storage(size_t(elements) * size_of(t.dtype));
  poison(t.dtype, size_t(elements), storage.data());
  scatter(t, dense, storage);
  if (layout.kind == K::expanded) {
    size_t d = wrap(layout.a, rank);
    t.shape[d] = spec.shape[d];
    t.stride[d] = 0;
  }
  t.storage = std::make_shared<const Bytes>(std::move(storage));
  return t;
}

}  // namespace kbx::suite
