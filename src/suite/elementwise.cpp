// One function for each way of drawing.
// Before every include: g++ inlines only between functions of equal options. No value depends on them: IEEE stays.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-math-errno", "no-trapping-math")
#endif
#include "suite/elementwise.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "suite/arg_toml.h"
#include "suite/float_bits.h"

#include "suite/real_math.h"

namespace kbx::suite {
namespace {

// prob as a bound for 32-bit words.
uint64_t threshold(double prob) { return uint64_t(prob * 0x1p32); }

double scalar_log(double x) { return log_of(x); }

// Where element k comes in a random order of n elements: a Feistel network over 2 * half bits that hold n, walked until it is
// back inside (Black and Rogaway, "Ciphers with arbitrary finite domains"). The same bits as on a card (clock/device/device_place.h).
uint64_t order_of(const RandomStream& stream, uint64_t k, uint64_t n, uint32_t half) {
  constexpr uint32_t kRounds = 6;
  const uint64_t mask = (uint64_t(1) << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint64_t round = 0; round < kRounds; round++) {
      uint64_t next = left ^ (stream.block(Lane::second, round << half | right)[0] & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= n);
  return k;
}

}  // namespace

template <class T>
Elementwise<T>::Elementwise(const TensorSpec& spec, const RandomStream& stream, uint64_t count, unsigned step)
    : spec_(spec), stream_(stream), dist_(find_dist(spec.dist)->dist), count_(count), step_(step) {
  if (dist_ != Dist::chosen) return;
  uint64_t elements = count / step;
  chosen_ = uint64_t(std::floor(param(spec, "share") * double(elements) + 0.5));
  while (uint64_t(1) << 2 * half_ < elements) half_++;
}

template <class T>
void Elementwise<T>::scaled_normal(uint64_t chunk, T* out) const {
  stream_.normal(Lane::base, chunk, out);
  T mean = T(param(spec_, "mean")), std = T(param(spec_, "std"));
  for (size_t k = 0; k < kChunk; k++) out[k] = mean + std * out[k];
}

// low + an integer in [0, range).
template <class T>
void Elementwise<T>::integers(uint64_t chunk, size_t n, double low, double range, T* out) const {
  if (range <= 0x1p32) {
    uint32_t w[kChunk];
    stream_.words(Lane::base, chunk, w);
    auto r = uint64_t(range);
    for (size_t k = 0; k < n; k++) out[k] = T(low + double(uint32_t(w[k] * r >> 32)));
    return;
  }
  double u[kChunk];
  stream_.unit(Lane::base, chunk, u);
  for (size_t k = 0; k < n; k++) out[k] = T(low + std::floor(u[k] * range));
}

template <class T>
void replace_some(const RandomStream& stream, Lane mask, Lane value, double prob, double scale, uint64_t chunk,
                  size_t n, unsigned step, T* out) {
  uint32_t w[kChunk];
  stream.words(mask, chunk, w);
  uint64_t bound = threshold(prob);
  for (size_t k = 0; k < n; k++)
    if (w[k - k % step] < bound) out[k] = T(scale * stream.one_normal(value, chunk * kChunk + k));
}
template void replace_some(const RandomStream&, Lane, Lane, double, double, uint64_t, size_t, unsigned, float*);
template void replace_some(const RandomStream&, Lane, Lane, double, double, uint64_t, size_t, unsigned, double*);

template <class T>
void Elementwise<T>::mix_outliers(uint64_t chunk, size_t n, T* out) const {
  replace_some(stream_, Lane::mix_mask, Lane::mix_value, param(spec_, "prob"), param(spec_, "scale"), chunk, n, step_,
               out);
}

template <class T>
void Elementwise<T>::mix_ignored(uint64_t chunk, size_t n, T* out) const {
  auto ignored = given_param(spec_, "ignore");
  uint64_t bound = threshold(param(spec_, "ignore_prob"));
  if (!ignored || bound == 0) return;
  uint32_t w[kChunk];
  stream_.words(Lane::ignore_mask, chunk, w);
  for (size_t k = 0; k < n; k++)
    if (w[k] < bound) out[k] = T(*ignored);
}

// Every third number is the next one of the dtype's edges.
template <class T>
void Elementwise<T>::mix_edges(uint64_t chunk, size_t n, T* out) const {
  Dtype d = part_of(spec_.dtype);
  bool real = is_floating(d);
  std::array<double, 11> edges{0, 1, -1, greatest(d), least(d), smallest_positive(d), 0, 0, 0, 0, 0};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (real)
    edges = {0,
             -0.0,
             1,
             -1,
             kInfinity,
             -kInfinity,
             std::numeric_limits<double>::quiet_NaN(),
             greatest(d),
             least(d),
             smallest_normal(d),
             smallest_positive(d)};
  size_t count = real ? 11 : 5;
  for (size_t k = 0; k < n; k++)
    if (uint64_t index = chunk * kChunk + k; index % 3 == 1) out[k] = T(edges[index / 3 % count]);
}

template <class T>
double Elementwise<T>::indexed(uint64_t index) const {
  uint64_t element = index / step_;
  if (dist_ == Dist::values) return spec_.values[index % spec_.values.size()];
  if (index % step_ != 0) return 0;  // constants and ramps are real
  if (dist_ == Dist::constant) return param(spec_, "value");
  if (dist_ == Dist::chosen) return order_of(stream_, element, count_ / step_, half_) < chosen_ ? 1 : 0;
  double low = param(spec_, "low"), high = param(spec_, "high");
  uint64_t last = count_ / step_ - 1;
  return last == 0 ? low : low + (high - low) * (double(element) / double(last));
}

template <class T>
void Elementwise<T>::draw(uint64_t chunk, size_t n, T* out) const {
  switch (dist_) {
    case Dist::normal:
      return scaled_normal(chunk, out);
    case Dist::outliers:
      scaled_normal(chunk, out);
      return mix_outliers(chunk, n, out);
    case Dist::edge:
      scaled_normal(chunk, out);
      return mix_edges(chunk, n, out);
    case Dist::lognormal:
      scaled_normal(chunk, out);
      for (size_t k = 0; k < kChunk; k++) out[k] = exp_of(out[k]);
      return;
    case Dist::uniform:
    case Dist::grid: {
      double bound = param(spec_, "high");
      T low = T(param(spec_, "low")), width = T(bound) - low, most = T(just_below(spec_.dtype, bound));
      stream_.unit(Lane::base, chunk, out);
      for (size_t k = 0; k < kChunk; k++) {
        T v = low + width * out[k];
        out[k] = v < most ? v : most;
      }
      return;
    }
    case Dist::positive: {
      T low = T(scalar_log(param(spec_, "low"))), width = T(scalar_log(param(spec_, "high"))) - low;
      stream_.unit(Lane::base, chunk, out);
      for (size_t k = 0; k < kChunk; k++) out[k] = exp_of(low + width * out[k]);
      return;
    }
    case Dist::randint: {
      double low = param(spec_, "low");
      return integers(chunk, n, low, param(spec_, "high") - low, out);
    }
    case Dist::class_index:
      integers(chunk, n, 0, param(spec_, "classes"), out);
      return mix_ignored(chunk, n, out);
    case Dist::ties: {
      double levels = param(spec_, "levels");
      return integers(chunk, n, is_integer(spec_.dtype) ? 0 : -std::floor(levels / 2), levels, out);
    }
    case Dist::bernoulli: {
      uint32_t w[kChunk];
      stream_.words(Lane::base, chunk, w);
      uint64_t bound = threshold(param(spec_, "p"));
      for (size_t k = 0; k < n; k++) out[k] = T(w[k] < bound);
      return;
    }
    case Dist::constant:
    case Dist::values:
    case Dist::linspace:
    case Dist::chosen:
      for (size_t k = 0; k < n; k++) out[k] = T(indexed(chunk * kChunk + k));
      return;
    default:
      KBX_UNREACHABLE("not an elementwise distribution");
  }
}

template class Elementwise<float>;
template class Elementwise<double>;

}  // namespace kbx::suite
