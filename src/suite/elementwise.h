// Distributions whose elements do not depend on one another, a chunk at a time. T is float or double: the arithmetic.
#pragma once
#include "suite/dists.h"
#include "suite/random_stream.h"

namespace kbx::suite {

template <class T>
class Elementwise {
 public:
  // count: numbers in the whole tensor (complex elements have two). step: numbers an element.
  Elementwise(const TensorSpec& spec, const RandomStream& stream, uint64_t count, unsigned step);
  // Numbers [chunk * kChunk, (chunk + 1) * kChunk), of which the first n are wanted.
  void draw(uint64_t chunk, size_t n, T* out) const;

 private:
  void scaled_normal(uint64_t chunk, T* out) const;
  void integers(uint64_t chunk, size_t n, double low, double range, T* out) const;
  void mix_outliers(uint64_t chunk, size_t n, T* out) const;
  void mix_ignored(uint64_t chunk, size_t n, T* out) const;
  void mix_edges(uint64_t chunk, size_t n, T* out) const;
  double indexed(uint64_t index) const;  // constant, values, linspace, chosen

  const TensorSpec& spec_;
  const RandomStream& stream_;
  Dist dist_;
  uint64_t count_;
  unsigned step_;
  uint64_t chosen_ = 0;  // how many elements are one
  uint32_t half_ = 1;    // half of the bits that hold every element's index
};

// Replaces numbers where a mask word of the lane falls below prob; a complex element is replaced as a whole.
template <class T>
void replace_some(const RandomStream& stream, Lane mask, Lane value, double prob, double scale, uint64_t chunk,
                  size_t n, unsigned step, T* out);

extern template class Elementwise<float>;
extern template class Elementwise<double>;

}  // namespace kbx::suite
