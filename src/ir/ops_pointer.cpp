// Pointer arithmetic. A pointer carries the number of its storage (index + 1) in the upper 16 bits; adding an offset
// leaves that alone, so provenance costs nothing. Whatever number results, accesses are checked against it.
#include "ir/lanes.h"

namespace kbx::ir {
namespace {

// The element size is a power of two.
template <class O>
void add_lanes(uint64_t* __restrict d, const uint64_t* __restrict a, const O* __restrict b, uint32_t n, int shift) {
  for (uint32_t k = 0; k < n; k++) d[k] = a[k] + (static_cast<uint64_t>(static_cast<int64_t>(b[k])) << shift);
}
template <class O>
void add_offset(Context& c, const Inst& i) {
  add_lanes(c.at<uint64_t>(i.out), c.at<uint64_t>(i.a), c.at<O>(i.b), i.lanes, static_cast<int>(i.immediate));
}
Kernel add_pointer(const Signature& s) {
  if (s.operands != 2 || s.a != Kind::ptr || s.result != Kind::ptr) return nullptr;
  switch (s.b) {
    case Kind::i8:
      return add_offset<int8_t>;
    case Kind::i16:
      return add_offset<int16_t>;
    case Kind::i32:
      return add_offset<int32_t>;
    case Kind::i64:
      return add_offset<int64_t>;
    default:
      return nullptr;
  }
}

struct Address {
  uint64_t operator()(uint64_t p) const { return p & ((uint64_t{1} << 48) - 1); }
};
struct Same {
  uint64_t operator()(uint64_t p) const { return p; }
};
// A kernel that looks at an address sees the plain one; a pointer made from an integer is looked up in all ranges.
Kernel pointer_to_int(const Signature& s) {
  return s.operands == 1 && s.a == Kind::ptr && s.result == Kind::i64 ? map1<uint64_t, uint64_t, Address> : nullptr;
}
Kernel int_to_pointer(const Signature& s) {
  return s.operands == 1 && s.a == Kind::i64 && s.result == Kind::ptr ? map1<uint64_t, uint64_t, Same> : nullptr;
}

constexpr LaneRow kRows[] = {
    {"tt.addptr", add_pointer}, {"tt.ptr_to_int", pointer_to_int}, {"tt.int_to_ptr", int_to_pointer}};

}  // namespace

std::span<const LaneRow> pointer_rows() { return kRows; }

}  // namespace kbx::ir
