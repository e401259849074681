// Instructions of inline assembly that move bits: shifts, wide and high products, fields, bytes.
#include <algorithm>
#include <type_traits>

#include "ir/asm_code.h"

namespace kbx::ir {
namespace {

// ---- instructions with a shape of their own
template <class T>
uint64_t shift_left(const uint64_t* v) {
  uint64_t by = v[1] & 0xffffffff;
  return by < 8 * sizeof(T) ? static_cast<T>(v[0] << by) : 0;
}
template <class T>
uint64_t shift_right(const uint64_t* v) {
  uint64_t by = std::min<uint64_t>(v[1] & 0xffffffff, 8 * sizeof(T) - 1);
  if (std::is_unsigned_v<T> && (v[1] & 0xffffffff) >= 8 * sizeof(T)) return 0;
  return static_cast<std::make_unsigned_t<T>>(static_cast<T>(v[0]) >> by);
}
template <class T>
uint64_t multiply_high(const uint64_t* v) {
  auto wide = static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(static_cast<T>(v[0])) *
              static_cast<T>(v[1]);
  return static_cast<uint32_t>(static_cast<uint64_t>(wide) >> 32);
}
template <class T>
uint64_t multiply_wide(const uint64_t* v) {
  using W = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  return static_cast<uint64_t>(static_cast<W>(static_cast<T>(v[0])) * static_cast<W>(static_cast<T>(v[1])));
}
uint64_t lop3(const uint64_t* v) {
  uint64_t r = 0;
  for (int k = 0; k < 8; k++)
    if (v[3] >> k & 1) r |= (k & 4 ? v[0] : ~v[0]) & (k & 2 ? v[1] : ~v[1]) & (k & 1 ? v[2] : ~v[2]);
  return static_cast<uint32_t>(r);
}
// Bytes of b:a by the nibbles of c; bit 3 of a nibble spreads the byte's sign.
uint64_t permute_bytes(const uint64_t* v) {
  uint64_t from = (v[0] & 0xffffffff) | v[1] << 32, r = 0;
  for (int k = 0; k < 4; k++) {
    uint64_t nibble = v[2] >> (4 * k) & 15, byte = from >> (8 * (nibble & 7)) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * k);
  }
  return r;
}
template <bool kSigned>
uint64_t extract_field(const uint64_t* v) {
  uint64_t at = v[1] & 255, n = v[2] & 255, a = v[0] & 0xffffffff;
  if (n == 0) return 0;
  uint64_t top = std::min<uint64_t>(at + n - 1, 31), sign = kSigned ? a >> top & 1 : 0, r = 0;
  for (uint64_t k = 0; k < 32; k++) r |= (k < n && at + k < 32 ? a >> (at + k) & 1 : sign) << k;
  return r;
}
uint64_t insert_field(const uint64_t* v) {
  uint64_t at = v[2] & 255, n = v[3] & 255, r = v[1] & 0xffffffff;
  for (uint64_t k = 0; k < n && at + k < 32; k++) r = (r & ~(1ull << (at + k))) | (v[0] >> k & 1) << (at + k);
  return r;
}

}  // namespace

std::vector<AsmRow> asm_bit_rows() {
  return {
      {"shl.b16", 16, {16, 32}, shift_left<uint16_t>},
      {"shl.b32", 32, {32, 32}, shift_left<uint32_t>},
      {"shl.b64", 64, {64, 32}, shift_left<uint64_t>},
      {"shr.b16", 16, {16, 32}, shift_right<uint16_t>},
      {"shr.b32", 32, {32, 32}, shift_right<uint32_t>},
      {"shr.b64", 64, {64, 32}, shift_right<uint64_t>},
      {"shr.u16", 16, {16, 32}, shift_right<uint16_t>},
      {"shr.u32", 32, {32, 32}, shift_right<uint32_t>},
      {"shr.u64", 64, {64, 32}, shift_right<uint64_t>},
      {"shr.s16", 16, {16, 32}, shift_right<int16_t>},
      {"shr.s32", 32, {32, 32}, shift_right<int32_t>},
      {"shr.s64", 64, {64, 32}, shift_right<int64_t>},
      {"mul.hi.u32", 32, {32, 32}, multiply_high<uint32_t>},
      {"mul.hi.s32", 32, {32, 32}, multiply_high<int32_t>},
      {"mul.wide.u32", 64, {32, 32}, multiply_wide<uint32_t>},
      {"mul.wide.s32", 64, {32, 32}, multiply_wide<int32_t>},
      {"lop3.b32", 32, {32, 32, 32, 32}, lop3},
      {"prmt.b32", 32, {32, 32, 32}, permute_bytes},
      {"bfe.u32", 32, {32, 32, 32}, extract_field<false>},
      {"bfe.s32", 32, {32, 32, 32}, extract_field<true>},
      {"bfi.b32", 32, {32, 32, 32, 32}, insert_field},
  };
}

}  // namespace kbx::ir
