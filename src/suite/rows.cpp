// Base variates are drawn by position, then each line is finished on its own.
#include "suite/rows.h"

#include <algorithm>

#include "base/check.h"
#include "suite/dists.h"
#include "suite/parallel.h"
#include "suite/real_math.h"

namespace kbx::suite {
namespace {

// Line l of a dim: elements begin, begin + step, ... (length of them).
struct Lines {
  uint64_t count = 0, length = 1, step = 1;
  uint64_t begin(uint64_t line) const { return line / step * step * length + line % step; }
};

Lines lines_of(const std::vector<int64_t>& shape, int64_t dim) {
  Lines l;
  if (shape.empty()) return {1, 1, 1};
  size_t d = size_t(dim < 0 ? dim + int64_t(shape.size()) : dim);
  uint64_t total = 1;
  for (size_t k = 0; k < shape.size(); k++) {
    total *= uint64_t(shape[k]);
    if (k > d) l.step *= uint64_t(shape[k]);
  }
  l.length = uint64_t(shape[d]);
  l.count = l.length ? total / l.length : 0;
  return l;
}

template <class T, class Draw>
void draw_all(std::vector<T>& out, const Draw& draw) {
  uint64_t chunks = (out.size() + kChunk - 1) / kChunk;
  parallel_for(chunks, 32, [&](uint64_t begin, uint64_t end) {
    T buffer[kChunk];
    for (uint64_t c = begin; c < end; c++) {
      draw(c, buffer);
      std::copy_n(buffer, std::min<uint64_t>(kChunk, out.size() - c * kChunk),
                  out.begin() + std::ptrdiff_t(c * kChunk));
    }
  });
}

// Exponential variates over their sum: uniform on the simplex.
template <class T>
void normalise(T* line, const Lines& l, bool logarithm) {
  double sum = 0;
  for (uint64_t k = 0; k < l.length; k++) sum += double(line[k * l.step]);
  double log_sum = logarithm ? log_of(sum) : 0;
  for (uint64_t k = 0; k < l.length; k++) {
    T& v = line[k * l.step];
    v = logarithm ? T(log_of(double(v)) - log_sum) : T(double(v) / sum);
  }
}

// Fisher-Yates; two words a swap give a bias below 2^-30 for any length.
template <class T>
void shuffle(T* line, const Lines& l, uint64_t index, const RandomStream& stream) {
  for (uint64_t k = 0; k < l.length; k++) line[k * l.step] = T(k);
  for (uint64_t k = l.length; k-- > 1;) {
    auto w = stream.block(Lane::shuffle, index * l.length + k);
    uint64_t j = (uint64_t(w[0]) << 32 | w[1]) % (k + 1);
    std::swap(line[k * l.step], line[j * l.step]);
  }
}

}  // namespace

template <class T>
void fill_rows(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
               std::vector<T>& out) {
  Dist dist = find_dist(spec.dist)->dist;
  Lines l = lines_of(shape, dist == Dist::sorted ? -1 : int64_t(param(spec, "dim")));
  if (dist == Dist::sorted) {
    T mean = T(param(spec, "mean")), std = T(param(spec, "std"));
    draw_all(out, [&](uint64_t c, T* buffer) {
      stream.normal(Lane::base, c, buffer);
      for (size_t k = 0; k < kChunk; k++) buffer[k] = mean + std * buffer[k];
    });
  } else if (dist != Dist::permutation) {
    draw_all(out, [&](uint64_t c, T* buffer) {
      stream.unit(Lane::base, c, buffer);
      constexpr T kHalfStep = Format<T>::kSingle ? T(0x1p-25) : T(0x1p-53);
      for (size_t k = 0; k < kChunk; k++) buffer[k] = -log_of(buffer[k] + kHalfStep) + T(0x1p-20);
    });
  }
  parallel_for(l.count, std::max<uint64_t>(1, 16384 / std::max<uint64_t>(1, l.length)),
               [&](uint64_t begin, uint64_t end) {
                 for (uint64_t line = begin; line < end; line++) {
                   T* first = out.data() + l.begin(line);
                   if (dist == Dist::sorted)
                     std::sort(first, first + l.length);
                   else if (dist == Dist::permutation)
                     shuffle(first, l, line, stream);
                   else
                     normalise(first, l, dist == Dist::log_probabilities);
                 }
               });
}

template void fill_rows(const TensorSpec&, const std::vector<int64_t>&, const RandomStream&, std::vector<float>&);
template void fill_rows(const TensorSpec&, const std::vector<int64_t>&, const RandomStream&, std::vector<double>&);

}  // namespace kbx::suite
