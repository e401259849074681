// Chunks: draw (or copy from a whole-tensor distribution), replace and clamp, convert.
#include "suite/fill.h"

#include <cstring>

#include "suite/elementwise.h"
#include "suite/float_bits.h"
#include "suite/matrices.h"
#include "suite/parallel.h"
#include "suite/rows.h"

namespace kbx::suite {
namespace {

template <class T>
class Filler {
 public:
  Filler(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
         const std::optional<Replacement>& replacement)
      : spec_(spec), shape_(shape), stream_(stream), replacement_(replacement), step_(is_complex(spec.dtype) ? 2 : 1) {
    count_ = step_;
    for (int64_t d : shape) count_ *= uint64_t(d);
  }

  Bytes run() {
    using F = DistInfo::Family;
    F family = find_dist(spec_.dist)->family;
    Bytes out(count_ * size_of(part_of(spec_.dtype)));
    if (family == F::rows || family == F::matrix) {
      std::vector<T> whole = whole_tensor(family);
      finish(out, [&](uint64_t chunk, size_t n, T* buffer) { std::copy_n(whole.data() + chunk * kChunk, n, buffer); });
    } else {
      Elementwise<T> elements(spec_, stream_, count_, step_);
      finish(out, [&](uint64_t chunk, size_t n, T* buffer) { elements.draw(chunk, n, buffer); });
    }
    return out;
  }

 private:
  std::vector<T> whole_tensor(DistInfo::Family family) const {
    if (family == DistInfo::Family::matrix) {
      auto wide = fill_matrices(spec_, shape_, stream_);
      return std::vector<T>(wide.begin(), wide.end());
    }
    std::vector<T> out(count_);
    fill_rows(spec_, shape_, stream_, out);
    return out;
  }

  template <class Source>
  void finish(Bytes& out, const Source& source) const {
    Dtype part = part_of(spec_.dtype);
    size_t width = size_of(part);
    parallel_for((count_ + kChunk - 1) / kChunk, 32, [&](uint64_t begin, uint64_t end) {
      T buffer[kChunk];
      for (uint64_t chunk = begin; chunk < end; chunk++) {
        auto n = size_t(std::min<uint64_t>(kChunk, count_ - chunk * kChunk));
        source(chunk, n, buffer);
        if (replacement_) replace(chunk, n, buffer);
        store(part, buffer, n, out.data() + chunk * kChunk * width);
      }
    });
  }

  void replace(uint64_t chunk, size_t n, T* buffer) const {
    replace_some(stream_, Lane::phase_mask, Lane::phase_value, replacement_->prob, replacement_->scale, chunk, n, step_,
                 buffer);
    if (!replacement_->clamp) return;
    T low = T(replacement_->clamp->first), high = T(replacement_->clamp->second);
    for (size_t k = 0; k < n; k++) {
      T v = buffer[k];
      buffer[k] = v < low ? low : v > high ? high : v;  // NaN stays
    }
  }

  const TensorSpec& spec_;
  const std::vector<int64_t>& shape_;
  const RandomStream& stream_;
  const std::optional<Replacement>& replacement_;
  unsigned step_;
  uint64_t count_ = 0;
};

// Half precisions are drawn in float; integers in double, which holds every i32 exactly.
bool single_precision(Dtype d) { return (is_floating(d) && d != Dtype::f64) || d == Dtype::c64; }

}  // namespace

Bytes fill(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
           const std::optional<Replacement>& replacement) {
  if (find_dist(spec.dist)->dist == Dist::poison) {
    size_t n = 1;
    for (int64_t d : shape) n *= size_t(d);
    Bytes out(n * size_of(spec.dtype));
    poison(spec.dtype, n, out.data());
    return out;
  }
  if (single_precision(spec.dtype)) return Filler<float>(spec, shape, stream, replacement).run();
  return Filler<double>(spec, shape, stream, replacement).run();
}

void poison(Dtype dtype, size_t n, std::byte* to) {
  // 0x7f7f... is NaN in both f8 formats and in f16; the wider formats have longer exponents.
  size_t total = n * size_of(dtype), width = size_of(part_of(dtype));
  if (total == 0) return;  // `to` may be null then
  auto fill_byte = [&](int byte) { std::memset(to, byte, total); };
  if (dtype == Dtype::boolean) return fill_byte(1);
  if (is_integer(dtype)) {
    fill_byte(0x5b);
    for (size_t k = width - 1; k < total; k += width) to[k] = std::byte{0x7b};  // large, positive (u8: 123), odd
    return;
  }
  fill_byte(0x7f);
  if (width == 1 || dtype == Dtype::f16) return;
  for (size_t k = width - 2; k < total; k += width) to[k] = std::byte(width == 8 ? 0xfb : 0xdb);
}

}  // namespace kbx::suite
