// Reductions and scans. The order of a GPU's partial sums is not modelled: sums of floats differ in the last bits. Each
// has two orders, so that a caller can measure by how much.
#include "ir/ops_reduce.h"

#include <algorithm>
#include <cstring>

#include "ir/by_width.h"
#include "ir/lanes.h"
#include "ir/ops_region.h"

namespace kbx::ir {
namespace {

// [outer, length, inner] -> [length, outer * inner] in temp.
void lay_axis_first(Context& c, const Combine& x, const Split& s, size_t q) {
  uint64_t rows = uint64_t{s.outer} * s.inner;
  by_width(x.bytes[q], [&](auto z) {
    using T = decltype(z);
    const T* a = c.at<T>(x.in[q]);
    T* t = c.at<T>(x.temp[q]);
    for (uint64_t o = 0; o < s.outer; o++)
      for (uint64_t k = 0; k < s.length; k++)
        std::memcpy(t + k * rows + o * s.inner, a + (o * s.length + k) * s.inner, s.inner * sizeof(T));
  });
}
// The even and odd entries along the first axis of temp.
void split_pairs(Context& c, const Combine& x, size_t q, uint64_t pairs, uint64_t rows) {
  by_width(x.bytes[q], [&](auto z) {
    using T = decltype(z);
    const T* t = c.at<T>(x.temp[q]);
    T* l = c.at<T>(x.left[q]);
    T* r = c.at<T>(x.right[q]);
    if (rows == 1) {
      for (uint64_t k = 0; k < pairs; k++) l[k] = t[2 * k], r[k] = t[2 * k + 1];
      return;
    }
    for (uint64_t k = 0; k < pairs; k++) {
      std::memcpy(l + k * rows, t + 2 * k * rows, rows * sizeof(T));
      std::memcpy(r + k * rows, t + (2 * k + 1) * rows, rows * sizeof(T));
    }
  });
}

template <class T, class F>
T fold_row(const T* a, uint32_t n, F f, Kind round) {
  constexpr uint32_t kWide = 16;
  T t[kWide] = {};
  auto settle = [&](uint32_t count) {
    if constexpr (std::is_same_v<T, float>)
      if (is_small_float(round)) round_floats(round, t, count);
  };
  if (n < kWide) {
    std::copy_n(a, n, t);
  } else {
    std::copy_n(a, kWide, t);
    for (uint32_t k = kWide; k + kWide <= n; k += kWide) {
      for (uint32_t j = 0; j < kWide; j++) t[j] = f(t[j], a[k + j]);
      settle(kWide);
    }
    n = kWide;
  }
  for (uint32_t h = n / 2; h; h /= 2) {
    for (uint32_t j = 0; j < h; j++) t[j] = f(t[j], t[j + h]);
    settle(h);
  }
  return t[0];
}

template <class T, class F>
T fold_row_backwards(const T* a, uint32_t n, F f, Kind round) {
  T t = a[n - 1];
  for (uint32_t k = n - 1; k-- > 0;) {
    t = f(t, a[k]);
    if constexpr (std::is_same_v<T, float>)
      if (is_small_float(round)) round_floats(round, &t, 1);
  }
  return t;
}

// The length is a power of two (the compiler of reductions sees to it).
template <class T, class F>
void fold(Context& c, const Inst& i) {
  const Split& s = i.extra->split;
  T* d = c.at<T>(i.extra->combine.out[0]);
  const T* a = c.at<T>(i.extra->combine.in[0]);
  F f;
  bool backwards = c.shared->accumulation == Accumulation::other;
  for (uint32_t o = 0; o < s.outer; o++, a += uint64_t{s.length} * s.inner) {
    if (s.inner == 1) {
      d[o] = backwards ? fold_row_backwards(a, s.length, f, i.round) : fold_row(a, s.length, f, i.round);
      continue;
    }
    const T* row = backwards ? a + uint64_t{s.length - 1} * s.inner : a;
    int64_t step = backwards ? -int64_t{s.inner} : int64_t{s.inner};
    std::copy_n(row, s.inner, d);
    for (uint32_t k = 1; k < s.length; k++) {
      row += step;
      for (uint32_t j = 0; j < s.inner; j++) d[j] = f(d[j], row[j]);
      if constexpr (std::is_same_v<T, float>)
        if (is_small_float(i.round)) round_floats(i.round, d, s.inner);
    }
    d += s.inner;
  }
}

// The other order of a scan: blocks of this many by themselves, then what stands before a block is combined into it.
constexpr uint64_t kScanBlock = 8;
uint64_t scan_block(const Context& c, uint64_t length) {
  if (c.shared->accumulation == Accumulation::forward) return length;
  return std::min(kScanBlock, std::max<uint64_t>(1, length / 2));
}

template <class T, class F>
void running_fold(Context& c, const Inst& i) {
  const Split& s = i.extra->split;
  T* d = c.at<T>(i.extra->combine.out[0]);
  const T* a = c.at<T>(i.extra->combine.in[0]);
  uint64_t block = scan_block(c, s.length);
  F f;
  auto settle = [&](uint64_t at) {
    if constexpr (std::is_same_v<T, float>)
      if (is_small_float(i.round)) round_floats(i.round, d + at, s.inner);
  };
  for (uint64_t o = 0; o < s.outer; o++) {
    auto row = [&](uint64_t step) {
      return (o * s.length + (i.extra->combine.reverse ? s.length - 1 - step : step)) * s.inner;
    };
    for (uint64_t step = 0; step < s.length; step++) {
      uint64_t at = row(step);
      if (step % block == 0) {
        std::copy_n(a + at, s.inner, d + at);
        continue;
      }
      uint64_t before = row(step - 1);
      for (uint64_t j = 0; j < s.inner; j++) d[at + j] = f(d[before + j], a[at + j]);
      settle(at);
    }
    for (uint64_t step = block; step < s.length; step++) {
      uint64_t at = row(step), before = row(step / block * block - 1);
      for (uint64_t j = 0; j < s.inner; j++) d[at + j] = f(d[before + j], d[at + j]);
      settle(at);
    }
  }
}

struct Sum {
  float operator()(float x, float y) const { return x + y; }
  double operator()(double x, double y) const { return x + y; }
  int32_t operator()(int32_t x, int32_t y) const { return static_cast<int32_t>(uint32_t(x) + uint32_t(y)); }
  int64_t operator()(int64_t x, int64_t y) const { return static_cast<int64_t>(uint64_t(x) + uint64_t(y)); }
};
struct Product {
  float operator()(float x, float y) const { return x * y; }
  double operator()(double x, double y) const { return x * y; }
};
struct Largest {
  template <class T>
  T operator()(T x, T y) const {
    return x > y ? x : y;
  }
};
struct Smallest {
  template <class T>
  T operator()(T x, T y) const {
    return x < y ? x : y;
  }
};

struct FoldRow {
  std::string_view operation;
  Kernel f32, f64, i32, i64;
};
constexpr FoldRow kFolds[] = {
    {"arith.addf", fold<float, Sum>, fold<double, Sum>, nullptr, nullptr},
    {"arith.mulf", fold<float, Product>, fold<double, Product>, nullptr, nullptr},
    {"arith.maxnumf", fold<float, MaxNumber>, fold<double, MaxNumber>, nullptr, nullptr},
    {"arith.minnumf", fold<float, MinNumber>, fold<double, MinNumber>, nullptr, nullptr},
    {"arith.addi", nullptr, nullptr, fold<int32_t, Sum>, fold<int64_t, Sum>},
    {"arith.maxsi", nullptr, nullptr, fold<int32_t, Largest>, fold<int64_t, Largest>},
    {"arith.minsi", nullptr, nullptr, fold<int32_t, Smallest>, fold<int64_t, Smallest>},
};
constexpr FoldRow kRunningFolds[] = {
    {"arith.addf", running_fold<float, Sum>, running_fold<double, Sum>, nullptr, nullptr},
    {"arith.mulf", running_fold<float, Product>, running_fold<double, Product>, nullptr, nullptr},
    {"arith.maxnumf", running_fold<float, MaxNumber>, running_fold<double, MaxNumber>, nullptr, nullptr},
    {"arith.minnumf", running_fold<float, MinNumber>, running_fold<double, MinNumber>, nullptr, nullptr},
    {"arith.addi", nullptr, nullptr, running_fold<int32_t, Sum>, running_fold<int64_t, Sum>},
    {"arith.maxsi", nullptr, nullptr, running_fold<int32_t, Largest>, running_fold<int64_t, Largest>},
    {"arith.minsi", nullptr, nullptr, running_fold<int32_t, Smallest>, running_fold<int64_t, Smallest>},
};

Kernel find(std::span<const FoldRow> rows, std::string_view operation, Kind kind) {
  for (const auto& row : rows)
    if (row.operation == operation)
      return kind == Kind::f64   ? row.f64
             : is_float(kind)    ? row.f32
             : kind == Kind::i32 ? row.i32
             : kind == Kind::i64 ? row.i64
                                 : nullptr;
  return nullptr;
}

}  // namespace

Kernel find_fold(std::string_view operation, Kind kind) { return find(kFolds, operation, kind); }
Kernel find_running_fold(std::string_view operation, Kind kind) { return find(kRunningFolds, operation, kind); }

namespace {

// Row k of temp, after lay_axis_first.
uint8_t* row_of(Context& c, const Combine& x, size_t q, uint64_t k, uint64_t rows) {
  return c.arena + x.temp[q] + k * rows * x.bytes[q];
}

// One after the other, in their order: the region need not be commutative.
void reduce_in_line(Context& c, const Combine& x, uint64_t length, uint64_t rows) {
  for (uint64_t k = 1; k < length; k++) {
    for (size_t q = 0; q < x.in.size(); q++) {
      std::memcpy(c.arena + x.left[q], row_of(c, x, q, 0, rows), rows * x.bytes[q]);
      std::memcpy(c.arena + x.right[q], row_of(c, x, q, k, rows), rows * x.bytes[q]);
    }
    run_body(c, x, static_cast<uint32_t>(rows));
    for (size_t q = 0; q < x.in.size(); q++)
      std::memcpy(row_of(c, x, q, 0, rows), c.arena + x.result[q], rows * x.bytes[q]);
  }
}
void reduce_in_pairs(Context& c, const Combine& x, uint64_t length, uint64_t rows) {
  for (uint64_t n = length; n > 1;) {
    uint64_t pairs = n / 2;
    for (size_t q = 0; q < x.in.size(); q++) split_pairs(c, x, q, pairs, rows);
    run_body(c, x, static_cast<uint32_t>(pairs * rows));
    for (size_t q = 0; q < x.in.size(); q++) {
      uint64_t row = rows * x.bytes[q];
      // The odd one waits for the next level.
      if (n % 2) std::memmove(row_of(c, x, q, pairs, rows), row_of(c, x, q, n - 1, rows), row);
      std::memcpy(row_of(c, x, q, 0, rows), c.arena + x.result[q], pairs * row);
    }
    n = pairs + n % 2;
  }
}

// [outer, length, inner]: where the rows of one scan are.
struct Rows {
  uint64_t first, length, inner;
  bool reverse;
  uint64_t at(uint64_t step) const { return (first + (reverse ? length - 1 - step : step)) * inner; }
};
// out row `to` = region(out row `before`, row `to` of `from`).
void scan_step(Context& c, const Combine& x, const Rows& r, uint64_t before, uint64_t to,
               const std::vector<uint32_t>& from) {
  for (size_t q = 0; q < x.in.size(); q++) {
    uint64_t w = x.bytes[q];
    std::memcpy(c.arena + x.left[q], c.arena + x.out[q] + r.at(before) * w, r.inner * w);
    std::memcpy(c.arena + x.right[q], c.arena + from[q] + r.at(to) * w, r.inner * w);
  }
  run_body(c, x, static_cast<uint32_t>(r.inner));
  for (size_t q = 0; q < x.in.size(); q++) {
    uint64_t w = x.bytes[q];
    std::memcpy(c.arena + x.out[q] + r.at(to) * w, c.arena + x.result[q], r.inner * w);
  }
}

}  // namespace

void reduce(Context& c, const Inst& i) {
  const Combine& x = i.extra->combine;
  const Split& s = i.extra->split;
  uint64_t rows = uint64_t{s.outer} * s.inner;
  for (size_t q = 0; q < x.in.size(); q++) lay_axis_first(c, x, s, q);
  if (c.shared->accumulation == Accumulation::other)
    reduce_in_line(c, x, s.length, rows);
  else
    reduce_in_pairs(c, x, s.length, rows);
  for (size_t q = 0; q < x.in.size(); q++) std::memcpy(c.arena + x.out[q], c.arena + x.temp[q], rows * x.bytes[q]);
}

void scan(Context& c, const Inst& i) {
  const Combine& x = i.extra->combine;
  const Split& s = i.extra->split;
  uint64_t block = scan_block(c, s.length);
  for (uint64_t o = 0; o < s.outer; o++) {
    Rows r{o * s.length, s.length, s.inner, x.reverse};
    for (uint64_t step = 0; step < s.length; step++) {
      if (step % block) {
        scan_step(c, x, r, step - 1, step, x.in);
        continue;
      }
      for (size_t q = 0; q < x.in.size(); q++) {
        uint64_t w = x.bytes[q];
        std::memcpy(c.arena + x.out[q] + r.at(step) * w, c.arena + x.in[q] + r.at(step) * w, s.inner * w);
      }
    }
    for (uint64_t step = block; step < s.length; step++) scan_step(c, x, r, step / block * block - 1, step, x.out);
  }
}

}  // namespace kbx::ir
