// Dtype: the element types of tensors, with their text in JSON, TOML and reports.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace kbx {

enum class Dtype : unsigned char { f16, bf16, f32, f64, f8e4m3, f8e5m2, i8, i16, i32, i64, u8, boolean, c64, c128 };

std::string_view to_text(Dtype dtype);                     // "f16", ..., "bool", "c64"
std::optional<Dtype> dtype_from_text(std::string_view text);  // also torch's names: "float16", "torch.float32", "half", "int64"...
std::string_view torch_name(Dtype dtype);                  // "float16", ..., "complex64"
size_t size_of(Dtype dtype);                               // bytes
bool is_floating(Dtype dtype);                             // f16 bf16 f32 f64 f8*
bool is_complex(Dtype dtype);
bool is_integer(Dtype dtype);                              // i8..i64, u8 (bool is neither)
// Spacing of 1.0: the format's machine epsilon (real part's for complex); 0 for integers and bool.
double epsilon_of(Dtype dtype);

}  // namespace kbx
