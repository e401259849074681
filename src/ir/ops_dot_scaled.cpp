// tt.dot_scaled: both operands become f32 matrices, each value times its scale, then a product in f32.
// The rules are those by which the compiler replaces it where the hardware lacks it: a scale byte s is 2^(s - 127), 255
// is NaN (infinity with fast math); next to an fp16 operand, scales and scaled values are rounded to fp16.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "ir/ops_dot.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

using Format = ScaledSide::Format;

// e2m1 by its four bits.
constexpr float kFour[16] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f, -0.5f, -1, -1.5f, -2, -3, -4, -6};

float to_half(float v) { return bits_to_float(Kind::f16, float_to_bits(Kind::f16, v)); }

// One operand as rows along m or n, each of k values; b lies transposed in memory and in the matrix.
struct Side {
  const ScaledSide& s;
  uint32_t values;  // arena offset
  uint64_t rows, k;
  bool transposed;

  bool packs_rows() const { return s.format == Format::e2m1 && !s.k_packed; }
  bool packs_k() const { return s.format == Format::e2m1 && s.k_packed; }
  uint64_t lanes() const { return rows * k / (s.format == Format::e2m1 ? 2 : 1); }  // of one batch
  uint64_t scales() const { return rows * (k / s.factor); }
  uint64_t lane(uint64_t r, uint64_t j) const {
    uint64_t row = packs_rows() ? r / 2 : r, column = packs_k() ? j / 2 : j;
    if (transposed) return column * (packs_rows() ? rows / 2 : rows) + row;
    return row * (packs_k() ? k / 2 : k) + column;
  }
  bool high(uint64_t r, uint64_t j) const { return packs_rows() ? r & 1 : j & 1; }
  uint64_t scale_lane(uint64_t r, uint64_t j) const { return r * (k / s.factor) + j / s.factor; }
};

float value_at(const Context& c, const Side& side, uint64_t at, bool high) {
  const uint8_t* p = c.arena + side.values;
  Format format = side.s.format;
  if (format == Format::e2m1) return kFour[high ? p[at] >> 4 : p[at] & 15];
  if (side.s.bytes) return bits_to_float(format == Format::e4m3 ? Kind::e4m3 : Kind::e5m2, p[at]);
  float f;
  std::memcpy(&f, p + at * sizeof f, sizeof f);
  return f;
}
float scale_at(const Context& c, const ScaledSide& s, uint64_t at, bool fast) {
  if (s.scale == Kind::e4m3) {
    float f;
    std::memcpy(&f, c.arena + s.scales + at * sizeof f, sizeof f);
    return f;
  }
  uint8_t e = c.arena[s.scales + at];
  if (e == 255) return fast ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  return e ? std::bit_cast<float>(uint32_t{e} << 23) : 0x1p-127f;
}

// One batch as floats, in the layout that the product wants.
void unpack(const Context& c, const Side& side, const ScaledDot& x, uint64_t batch, float* to) {
  uint64_t values = batch * side.lanes(), scales = batch * side.scales();
  for (uint64_t r = 0; r < side.rows; r++)
    for (uint64_t j = 0; j < side.k; j++) {
      float v = value_at(c, side, values + side.lane(r, j), side.high(r, j));
      if (side.s.scales) {
        float scale = scale_at(c, side.s, scales + side.scale_lane(r, j), x.fast);
        v = x.half ? to_half(v * to_half(scale)) : v * scale;
      }
      to[side.transposed ? j * side.rows + r : r * side.k + j] = v;
    }
}

// Some value or scale of row r is undefined.
bool is_undefined(const Context& c, const Side& side, uint64_t batch, uint64_t r) {
  bool values = c.is_tainted(side.values), scales = side.s.scales && c.is_tainted(side.s.scales);
  uint64_t first = batch * side.lanes(), first_scale = batch * side.scales();
  for (uint64_t j = 0; (values || scales) && j < side.k; j++) {
    if (values && c.undefined[side.values + first + side.lane(r, j)]) return true;
    if (scales && c.undefined[side.s.scales + first_scale + side.scale_lane(r, j)]) return true;
  }
  return false;
}
void follow(Context& c, const Inst& i, const Side& a, const Side& b, uint32_t batches) {
  uint8_t* d = c.undefined + i.out;
  std::memset(d, 0, i.lanes);
  if (c.is_tainted(i.c)) std::memcpy(d, c.undefined + i.c, i.lanes);
  for (uint64_t q = 0; q < batches; q++) {
    uint8_t* to = d + q * a.rows * b.rows;
    for (uint64_t r = 0; r < a.rows; r++)
      if (is_undefined(c, a, q, r)) std::memset(to + r * b.rows, 1, b.rows);
    for (uint64_t j = 0; j < b.rows; j++) {
      if (!is_undefined(c, b, q, j)) continue;
      for (uint64_t r = 0; r < a.rows; r++) to[r * b.rows + j] = 1;
    }
  }
  c.flags[i.out >> 6] = std::memchr(d, 1, i.lanes) != nullptr;
}

}  // namespace

void scaled_dot(Context& c, const Inst& i) {
  const DotShape& s = i.extra->dot;
  const ScaledDot& x = i.extra->scaled;
  Side a{x.a, i.a, s.m, s.k, false}, b{x.b, i.b, s.n, s.k, true};
  std::memcpy(c.arena + i.out, c.arena + i.c, uint64_t{i.lanes} * sizeof(float));
  float* left = c.at<float>(i.extra->temp);
  float* right = left + uint64_t{s.m} * s.k;
  for (uint64_t q = 0; q < s.batch; q++) {
    unpack(c, a, x, q, left);
    unpack(c, b, x, q, right);
    multiply_floats({c.at<float>(i.out) + q * s.m * s.n, left, right, s.m, s.n, s.k}, c.shared->accumulation);
  }
  if (c.undefined) follow(c, i, a, b, s.batch);
}

}  // namespace kbx::ir
