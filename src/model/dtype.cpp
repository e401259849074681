#include "model/dtype.h"

#include <array>
#include <string>

#include "base/check.h"

namespace kbx {
namespace {

struct Row {
  Dtype dtype;
  const char* text;
  const char* torch;
  const char* alias;
  unsigned char bytes;
  double epsilon;
};
constexpr std::array<Row, 14> kRows{{
    {Dtype::f16, "f16", "float16", "half", 2, 0x1p-10},
    {Dtype::bf16, "bf16", "bfloat16", "bfloat16", 2, 0x1p-7},
    {Dtype::f32, "f32", "float32", "float", 4, 0x1p-23},
    {Dtype::f64, "f64", "float64", "double", 8, 0x1p-52},
    {Dtype::f8e4m3, "f8e4m3", "float8_e4m3fn", "f8e4m3fn", 1, 0x1p-3},
    {Dtype::f8e5m2, "f8e5m2", "float8_e5m2", "f8e5m2", 1, 0x1p-2},
    {Dtype::i8, "i8", "int8", "char", 1, 0},
    {Dtype::i16, "i16", "int16", "short", 2, 0},
    {Dtype::i32, "i32", "int32", "int", 4, 0},
    {Dtype::i64, "i64", "int64", "long", 8, 0},
    {Dtype::u8, "u8", "uint8", "byte", 1, 0},
    {Dtype::boolean, "bool", "bool", "bool", 1, 0},
    {Dtype::c64, "c64", "complex64", "cfloat", 8, 0x1p-23},
    {Dtype::c128, "c128", "complex128", "cdouble", 16, 0x1p-52},
}};
const Row& row(Dtype d) {
  const Row& r = kRows[size_t(d)];
  KBX_CHECK(r.dtype == d);
  return r;
}

}  // namespace

std::string_view to_text(Dtype d) { return row(d).text; }
std::string_view torch_name(Dtype d) { return row(d).torch; }
size_t size_of(Dtype d) { return row(d).bytes; }
double epsilon_of(Dtype d) { return row(d).epsilon; }
bool is_floating(Dtype d) { return d <= Dtype::f8e5m2; }
bool is_complex(Dtype d) { return d == Dtype::c64 || d == Dtype::c128; }
bool is_integer(Dtype d) { return d >= Dtype::i8 && d <= Dtype::u8; }

std::optional<Dtype> dtype_from_text(std::string_view text) {
  if (text.substr(0, 6) == "torch.") text.remove_prefix(6);
  for (const Row& r : kRows)
    if (text == r.text || text == r.torch || text == r.alias) return r.dtype;
  return std::nullopt;
}

}  // namespace kbx
