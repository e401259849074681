#include "replay/copy_view.h"

#include <cmath>
#include <cstring>

#include "ir/small_float.h"

namespace kbx::replay {
namespace {

// What every element becomes on its way: an integer stays one, since a double has 53 bits.
struct Number {
  bool whole = false;
  int64_t integer = 0;
  double real = 0;
};

ir::Kind kind_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f16: return ir::Kind::f16;
    case Dtype::bf16: return ir::Kind::bf16;
    case Dtype::f8e4m3: return ir::Kind::e4m3;
    default: return ir::Kind::e5m2;
  }
}

template <class T>
T read(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
void write(uint8_t* p, T v) {
  std::memcpy(p, &v, sizeof v);
}

Number whole(int64_t v) { return {true, v, 0}; }
Number real(double v) { return {false, 0, v}; }

Number load(Dtype dtype, const uint8_t* p) {
  switch (dtype) {
    case Dtype::f32: return real(double(read<float>(p)));
    case Dtype::f64: return real(read<double>(p));
    case Dtype::i8: return whole(read<int8_t>(p));
    case Dtype::i16: return whole(read<int16_t>(p));
    case Dtype::i32: return whole(read<int32_t>(p));
    case Dtype::i64: return whole(read<int64_t>(p));
    case Dtype::u8: return whole(*p);
    case Dtype::boolean: return whole(*p != 0);
    default: break;
  }
  uint32_t bits = size_of(dtype) == 1 ? *p : read<uint16_t>(p);
  return real(double(ir::bits_to_float(kind_of(dtype), bits)));
}

// Truncation; what does not fit is undefined in C and the smallest value here, as x86 has it.
int64_t to_integer(const Number& n) {
  if (n.whole) return n.integer;
  if (!(std::fabs(n.real) < 0x1p63)) return INT64_MIN;
  return int64_t(n.real);
}

uint32_t small_bits(Dtype dtype, float v) {
  uint32_t sign = std::signbit(v) ? 0x80 : 0;
  if (dtype == Dtype::f8e4m3 && std::fabs(v) > 464) return sign | 0x7f;  // halfway above the largest, 448
  if (dtype == Dtype::f8e5m2 && std::fabs(v) >= 61440) return sign | 0x7c;
  return ir::float_to_bits(kind_of(dtype), v);
}

void store(Dtype dtype, uint8_t* p, const Number& n) {
  switch (dtype) {
    case Dtype::f32: return write(p, n.whole ? float(n.integer) : float(n.real));
    case Dtype::f64: return write(p, n.whole ? double(n.integer) : n.real);
    case Dtype::i8: return write(p, int8_t(to_integer(n)));
    case Dtype::i16: return write(p, int16_t(to_integer(n)));
    case Dtype::i32: return write(p, int32_t(to_integer(n)));
    case Dtype::i64: return write(p, to_integer(n));
    case Dtype::u8: return write(p, uint8_t(to_integer(n)));
    case Dtype::boolean: return write(p, uint8_t(n.whole ? n.integer != 0 : n.real != 0));
    default: break;
  }
  uint32_t bits = small_bits(dtype, n.whole ? float(n.integer) : float(n.real));
  if (size_of(dtype) == 1) write(p, uint8_t(bits));
  else write(p, uint16_t(bits));
}

// Visits every element of `view` row major, handing its offset in elements and, beside it, that of the same place in
// `other` (equal shape).
template <class F>
void walk(const TapeView& view, const TapeView& other, F each) {
  size_t dims = view.shape.size();
  for (int64_t n : view.shape)
    if (n == 0) return;
  std::vector<int64_t> at(dims, 0);
  int64_t a = view.offset, b = other.offset;
  for (;;) {
    each(a, b);
    size_t d = dims;
    while (d-- > 0) {
      a += view.stride[d];
      b += other.stride[d];
      if (++at[d] < view.shape[d]) break;
      a -= view.stride[d] * view.shape[d];
      b -= other.stride[d] * view.shape[d];
      at[d] = 0;
    }
    if (d == size_t(-1)) return;
  }
}

}  // namespace

bool can_cast(Dtype to, Dtype from) { return to == from || (!is_complex(to) && !is_complex(from)); }

void copy_view(const TapeView& to, uint8_t* to_memory, const TapeView& from, const uint8_t* from_memory) {
  int64_t wide = int64_t(size_of(to.dtype)), narrow = int64_t(size_of(from.dtype));
  if (to.dtype == from.dtype)
    walk(to, from, [&](int64_t a, int64_t b) { std::memmove(to_memory + a * wide, from_memory + b * wide, size_t(wide)); });
  else
    walk(to, from, [&](int64_t a, int64_t b) { store(to.dtype, to_memory + a * wide, load(from.dtype, from_memory + b * narrow)); });
}

void fill_view(const TapeView& to, uint8_t* memory, const uint8_t* element) {
  int64_t size = int64_t(size_of(to.dtype));
  walk(to, to, [&](int64_t a, int64_t) { std::memcpy(memory + a * size, element, size_t(size)); });
}

}  // namespace kbx::replay
