// Integer arithmetic lane by lane: two's complement, wrapping. Division by zero gives all bits set, the remainder the
// dividend, as the GPU's software division does.
#include <algorithm>
#include <type_traits>

#include "ir/lanes.h"

namespace kbx::ir {
namespace {

template <class T>
using U = std::make_unsigned_t<T>;

// A functor over equal signed types; u and v are the same bits unsigned.
#define KBX_IR_INT2(name, expr)                                                 \
  struct name {                                                                 \
    template <class T>                                                          \
    T operator()(T x, T y) const {                                              \
      [[maybe_unused]] U<T> u = static_cast<U<T>>(x), v = static_cast<U<T>>(y); \
      return static_cast<T>(expr);                                              \
    }                                                                           \
  };
KBX_IR_INT2(Add, u + v)
KBX_IR_INT2(Sub, u - v)
KBX_IR_INT2(Mul, uint64_t{u} * uint64_t{v})
KBX_IR_INT2(And, u& v)
KBX_IR_INT2(Or, u | v)
KBX_IR_INT2(Xor, u ^ v)
KBX_IR_INT2(ShiftLeft, v < sizeof(T) * 8 ? uint64_t{u} << v : 0)
KBX_IR_INT2(ShiftRightUnsigned, v < sizeof(T) * 8 ? u >> v : 0)
KBX_IR_INT2(ShiftRightSigned, x >> std::min<U<T>>(v, sizeof(T) * 8 - 1))
KBX_IR_INT2(DivideSigned, y == 0 ? T(-1) : y == T(-1) ? T(U<T>(0) - u) : T(x / y))
KBX_IR_INT2(RemainderSigned, y == 0 ? x : y == T(-1) ? T(0) : T(x % y))
KBX_IR_INT2(DivideUnsigned, v == 0 ? U<T>(-1) : U<T>(u / v))
KBX_IR_INT2(RemainderUnsigned, v == 0 ? u : U<T>(u % v))
KBX_IR_INT2(MaxSigned, x > y ? x : y)
KBX_IR_INT2(MinSigned, x < y ? x : y)
KBX_IR_INT2(MaxUnsigned, u > v ? u : v)
KBX_IR_INT2(MinUnsigned, u < v ? u : v)
#undef KBX_IR_INT2

struct CeilDivide {
  template <class T>
  T operator()(T x, T y) const {
    T q = DivideSigned{}(x, y), r = RemainderSigned{}(x, y);
    return y != 0 && r != 0 && (x > 0) == (y > 0) ? Add{}(q, T(1)) : q;
  }
};
struct CeilDivideUnsigned {
  template <class T>
  T operator()(T x, T y) const {
    T q = DivideUnsigned{}(x, y), r = RemainderUnsigned{}(x, y);
    return y != 0 && r != 0 ? Add{}(q, T(1)) : q;
  }
};
struct FloorDivide {
  template <class T>
  T operator()(T x, T y) const {
    T q = DivideSigned{}(x, y), r = RemainderSigned{}(x, y);
    return y != 0 && r != 0 && (x > 0) != (y > 0) ? Sub{}(q, T(1)) : q;
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T x, T y) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<T>((Wide{static_cast<U<T>>(x)} * Wide{static_cast<U<T>>(y)}) >> (8 * sizeof(T)));
  }
};
struct Absolute {
  template <class T>
  T operator()(T x) const {
    return x < 0 ? Sub{}(T(0), x) : x;
  }
};
// One bit, kept as 0 or 1 in a byte: the same functor on sign-extended bits.
template <class F>
struct OnBit {
  uint8_t operator()(uint8_t x, uint8_t y) const {
    return static_cast<uint8_t>(F{}(static_cast<int8_t>(-(x & 1)), static_cast<int8_t>(-(y & 1))) & 1);
  }
};

template <class F>
Kernel binary(const Signature& s) {
  if (!s.uniform(2)) return nullptr;
  switch (s.a) {
    case Kind::i1:
      return map2<uint8_t, uint8_t, OnBit<F>>;
    case Kind::i8:
      return map2<int8_t, int8_t, F>;
    case Kind::i16:
      return map2<int16_t, int16_t, F>;
    case Kind::i32:
      return map2<int32_t, int32_t, F>;
    case Kind::i64:
      return map2<int64_t, int64_t, F>;
    default:
      return nullptr;
  }
}
Kernel absolute(const Signature& s) {
  if (!s.uniform(1)) return nullptr;
  switch (s.a) {
    case Kind::i8:
      return map1<int8_t, int8_t, Absolute>;
    case Kind::i16:
      return map1<int16_t, int16_t, Absolute>;
    case Kind::i32:
      return map1<int32_t, int32_t, Absolute>;
    case Kind::i64:
      return map1<int64_t, int64_t, Absolute>;
    default:
      return nullptr;
  }
}

constexpr LaneRow kRows[] = {
    {"arith.addi", binary<Add>},
    {"arith.subi", binary<Sub>},
    {"arith.muli", binary<Mul>},
    {"arith.andi", binary<And>, 0, Flow::logical_and},
    {"arith.ori", binary<Or>, 0, Flow::logical_or},
    {"arith.xori", binary<Xor>},
    {"arith.shli", binary<ShiftLeft>},
    {"arith.shrui", binary<ShiftRightUnsigned>},
    {"arith.shrsi", binary<ShiftRightSigned>},
    {"arith.divsi", binary<DivideSigned>},
    {"arith.remsi", binary<RemainderSigned>},
    {"arith.divui", binary<DivideUnsigned>},
    {"arith.remui", binary<RemainderUnsigned>},
    {"arith.ceildivsi", binary<CeilDivide>},
    {"arith.ceildivui", binary<CeilDivideUnsigned>},
    {"arith.floordivsi", binary<FloorDivide>},
    {"arith.maxsi", binary<MaxSigned>},
    {"arith.minsi", binary<MinSigned>},
    {"arith.maxui", binary<MaxUnsigned>},
    {"arith.minui", binary<MinUnsigned>},
    {"tt.mulhiui", binary<MultiplyHigh>},
    {"math.absi", absolute},
};

}  // namespace

std::span<const LaneRow> integer_rows() { return kRows; }

}  // namespace kbx::ir
