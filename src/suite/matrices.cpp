// Plain loops in a fixed order: the same bytes everywhere. S is double or Cx.
// Before every include: g++ inlines only between functions of equal options. No value depends on O3; it does depend on
// no-fma: g++ 12 fuses multiplications and additions of complex loops (vfmaddsub) in spite of -ffp-contract=off.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#ifdef __x86_64__
#pragma GCC target("no-fma")
#endif
#endif
#include "suite/matrices.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "suite/dists.h"
#include "suite/parallel.h"

#include "suite/real_math.h"

namespace kbx::suite {
namespace {

struct Cx {
  double re = 0, im = 0;
  Cx() = default;
  Cx(double r, double i = 0) : re(r), im(i) {}  // NOLINT: a real number is a complex one
  Cx operator+(Cx o) const { return {re + o.re, im + o.im}; }
  Cx operator-(Cx o) const { return {re - o.re, im - o.im}; }
  Cx operator*(Cx o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  Cx& operator+=(Cx o) { return *this = *this + o; }
  Cx& operator-=(Cx o) { return *this = *this - o; }
};
double conj(double x) { return x; }
Cx conj(Cx x) { return {x.re, -x.im}; }
double norm2(double x) { return x * x; }
double norm2(Cx x) { return x.re * x.re + x.im * x.im; }

template <class S>
struct Matrix {
  int64_t rows, cols;
  S* data;
  S* row(int64_t r) const { return data + r * cols; }
  S& at(int64_t r, int64_t c) const { return data[r * cols + c]; }
};

template <class S>
class Builder {
 public:
  Builder(const TensorSpec& spec, const RandomStream& stream, uint64_t batch, Matrix<S> a)
      : spec_(spec), stream_(stream), batch_(batch), a_(a) {}

  void build() {
    switch (find_dist(spec_.dist)->dist) {
      case Dist::spd:
        return spd();
      case Dist::symmetric:
        return symmetric();
      case Dist::triangular:
        return triangular();
      case Dist::orthogonal:
        return orthogonal();
      case Dist::conditioned:
        return conditioned();
      case Dist::low_rank:
        return low_rank();
      default:
        KBX_UNREACHABLE("not a matrix distribution");
    }
  }

 private:
  // n normal numbers of one lane, from this matrix's own run of chunks.
  std::vector<S> normals(Lane lane, uint64_t n) const {
    uint64_t numbers = n * (sizeof(S) / sizeof(double)), chunks = (numbers + kChunk - 1) / kChunk;
    std::vector<double> flat(chunks * kChunk);
    for (uint64_t c = 0; c < chunks; c++) stream_.normal(lane, batch_ << 32 | c, flat.data() + c * kChunk);
    std::vector<S> out(n);
    if (n > 0) std::memcpy(static_cast<void*>(out.data()), flat.data(), n * sizeof(S));  // Cx is two doubles
    return out;
  }

  // Reflection vectors for dimension n: each acts on the coordinates from `skip` on.
  struct Reflection {
    int64_t skip;
    std::vector<S> v;
    double scale;  // 2 / |v|^2
  };
  std::vector<Reflection> reflections(Lane lane, int64_t n) const {
    bool full = n <= kFull;
    int64_t count = full ? std::max<int64_t>(0, n - 1) : kFew;
    auto pool = normals(lane, uint64_t(count * n));
    std::vector<Reflection> out;
    for (int64_t k = 0; k < count; k++) {
      Reflection h{full ? n - 2 - k : 0, {}, 0};
      h.v.assign(pool.begin() + k * n + h.skip, pool.begin() + (k + 1) * n);
      double sum = 0;
      for (S x : h.v) sum += norm2(x);
      h.scale = 2 / sum;
      out.push_back(std::move(h));
    }
    return out;
  }

  // A = H A: w = v^H A, then A -= scale v w.
  void apply_left(const Reflection& h) {
    std::vector<S> w(size_t(a_.cols), S(0));
    for (size_t k = 0; k < h.v.size(); k++) {
      const S* row = a_.row(h.skip + int64_t(k));
      S c = conj(h.v[k]);
      for (int64_t j = 0; j < a_.cols; j++) w[size_t(j)] += c * row[j];
    }
    for (size_t k = 0; k < h.v.size(); k++) {
      S* row = a_.row(h.skip + int64_t(k));
      S c = h.v[k] * S(h.scale);
      for (int64_t j = 0; j < a_.cols; j++) row[j] -= c * w[size_t(j)];
    }
  }
  // A = A H, a row at a time.
  void apply_right(const Reflection& h) {
    for (int64_t r = 0; r < a_.rows; r++) {
      S* row = a_.row(r) + h.skip;
      S sum = S(0);
      for (size_t k = 0; k < h.v.size(); k++) sum += row[k] * h.v[k];
      sum = sum * S(h.scale);
      for (size_t k = 0; k < h.v.size(); k++) row[k] -= sum * conj(h.v[k]);
    }
  }

  // s_i log-spaced from 1 up to cond.
  double spectrum(int64_t k, int64_t n) const {
    return n <= 1 ? 1 : exp_of(log_of(param(spec_, "cond")) * (double(k) / double(n - 1)));
  }
  void set_diagonal(bool ones) {
    int64_t n = std::min(a_.rows, a_.cols);
    for (int64_t k = 0; k < n; k++) a_.at(k, k) = S(ones ? 1 : spectrum(k, n));
  }

  void spd() {
    set_diagonal(false);
    for (const Reflection& h : reflections(Lane::first, a_.rows)) {
      apply_left(h);
      apply_right(h);
    }
    mirror(true);
  }
  // The upper half becomes the (conjugate) mirror of the lower one, rounding errors included.
  void mirror(bool hermitian) {
    for (int64_t r = 0; r < a_.rows; r++) {
      if (hermitian) a_.at(r, r) = (a_.at(r, r) + conj(a_.at(r, r))) * S(0.5);
      for (int64_t c = 0; c < r; c++) a_.at(c, r) = hermitian ? conj(a_.at(r, c)) : a_.at(r, c);
    }
  }
  void symmetric() {
    auto n = normals(Lane::first, uint64_t(a_.rows * a_.cols));
    bool hermitian = param(spec_, "hermitian") != 0;
    for (int64_t r = 0; r < a_.rows; r++)
      for (int64_t c = 0; c <= r; c++) {
        S other = n[size_t(c * a_.cols + r)];
        a_.at(r, c) = (n[size_t(r * a_.cols + c)] + (hermitian ? conj(other) : other)) * S(0.5);
      }
    mirror(hermitian);
  }
  // D (I + N), N strictly triangular with entries of standard deviation 1 / (2 sqrt n).
  void triangular() {
    auto n = normals(Lane::first, uint64_t(a_.rows * a_.cols));
    bool upper = param(spec_, "upper") != 0, unit = param(spec_, "unit") != 0;
    double spread = 0.5 / std::sqrt(double(std::max<int64_t>(1, std::min(a_.rows, a_.cols))));
    int64_t least_dim = std::min(a_.rows, a_.cols);
    for (int64_t r = 0; r < a_.rows; r++) {
      double d = unit ? 1 : spectrum(std::min(r, least_dim - 1), least_dim);
      for (int64_t c = 0; c < a_.cols; c++) {
        if (c == r)
          a_.at(r, c) = S(d);
        else if ((c > r) == upper)
          a_.at(r, c) = n[size_t(r * a_.cols + c)] * S(spread * d);
      }
    }
  }
  void orthogonal() {
    set_diagonal(true);
    bool tall = a_.rows >= a_.cols;
    for (const Reflection& h : reflections(Lane::first, tall ? a_.rows : a_.cols))
      tall ? apply_left(h) : apply_right(h);
  }
  void conditioned() {
    set_diagonal(false);
    for (const Reflection& h : reflections(Lane::first, a_.rows)) apply_left(h);
    for (const Reflection& h : reflections(Lane::second, a_.cols)) apply_right(h);
  }
  void low_rank() {
    auto rank = int64_t(param(spec_, "rank"));
    auto left = normals(Lane::first, uint64_t(a_.rows * rank)), right = normals(Lane::second, uint64_t(rank * a_.cols));
    double scale = 1 / std::sqrt(double(rank));
    for (int64_t r = 0; r < a_.rows; r++)
      for (int64_t k = 0; k < rank; k++) {
        S c = left[size_t(r * rank + k)] * S(scale);
        for (int64_t j = 0; j < a_.cols; j++) a_.at(r, j) += c * right[size_t(k * a_.cols + j)];
      }
  }

  const TensorSpec& spec_;
  const RandomStream& stream_;
  uint64_t batch_;
  Matrix<S> a_;
};

template <class S>
void build_all(const TensorSpec& spec, const std::vector<int64_t>& shape, const RandomStream& stream,
               std::vector<double>& out) {
  int64_t rows = shape[shape.size() - 2], cols = shape.back(), batches = 1;
  for (size_t k = 0; k + 2 < shape.size(); k++) batches *= shape[k];
  if (rows == 0 || cols == 0) return;
  parallel_for(uint64_t(batches), 1, [&](uint64_t begin, uint64_t end) {
    for (uint64_t b = begin; b < end; b++) {
      auto size = uint64_t(rows * cols);
      std::vector<S> m(size, S(0));
      Builder<S>(spec, stream, b, {rows, cols, m.data()}).build();
      std::memcpy(out.data() + b * size * (sizeof(S) / sizeof(double)), m.data(), size * sizeof(S));
    }
  });
}

}  // namespace

std::vector<double> fill_matrices(const TensorSpec& spec, const std::vector<int64_t>& shape,
                                  const RandomStream& stream) {
  uint64_t n = 1;
  for (int64_t d : shape) n *= uint64_t(d);
  std::vector<double> out(n * (is_complex(spec.dtype) ? 2 : 1));
  if (is_complex(spec.dtype))
    build_all<Cx>(spec, shape, stream, out);
  else
    build_all<double>(spec, shape, stream, out);
  return out;
}

}  // namespace kbx::suite
