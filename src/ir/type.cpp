// Types from text.
#include "ir/type.h"

#include "ir/scan_text.h"

namespace kbx::ir {
namespace {

struct ScalarName {
  std::string_view text;
  Kind kind;
};
constexpr ScalarName kScalars[] = {{"i1", Kind::i1},   {"i8", Kind::i8},         {"i16", Kind::i16},
                                   {"i32", Kind::i32}, {"i64", Kind::i64},       {"index", Kind::i64},
                                   {"f16", Kind::f16}, {"bf16", Kind::bf16},     {"f32", Kind::f32},
                                   {"f64", Kind::f64}, {"f8E4M3FN", Kind::e4m3}, {"f8E5M2", Kind::e5m2}};

// The text between the prefix and the closing '>' that must end it.
std::optional<std::string_view> inside(std::string_view text, std::string_view prefix) {
  if (!text.ends_with('>')) return std::nullopt;
  return text.substr(prefix.size(), text.size() - prefix.size() - 1);
}

std::optional<Type> parse_scalar(std::string_view text) {
  Type type;
  if (text.starts_with("!tt.ptr<")) {
    auto in = inside(text, "!tt.ptr<");
    if (!in) return std::nullopt;
    if (in->starts_with("tensor")) return type;  // a block pointer
    type.kind = Kind::ptr;
    if (in->starts_with("!tt.ptr<")) {
      type.pointee = Kind::ptr;
      return type;
    }
    *in = in->substr(0, in->find(','));  // an address space may follow
    for (const auto& s : kScalars)
      if (*in == s.text) type.pointee = s.kind;
    return type;
  }
  for (const auto& s : kScalars)
    if (text == s.text) type.kind = s.kind;
  return type;
}

}  // namespace

std::optional<Type> parse_type(std::string_view text) {
  if (!text.starts_with("tensor<")) return parse_scalar(text);
  auto in = inside(text, "tensor<");
  if (!in) return std::nullopt;
  std::vector<uint32_t> shape;
  uint64_t lanes = 1;
  while (!in->empty() && is_digit(in->front())) {
    uint64_t extent = 0;
    size_t used = scan_unsigned(*in, extent);
    if (used == 0 || used >= in->size() || (*in)[used] != 'x' || extent == 0) return std::nullopt;
    if (extent > kMaxLanes || shape.size() == kMaxRank) return std::nullopt;
    lanes *= extent;
    if (lanes > kMaxLanes) return std::nullopt;
    shape.push_back(static_cast<uint32_t>(extent));
    in->remove_prefix(used + 1);
  }
  auto type = parse_scalar(*in);
  if (!type) return std::nullopt;
  type->tensor = true;
  type->shape = std::move(shape);
  type->lanes = static_cast<uint32_t>(lanes);
  return type;
}

}  // namespace kbx::ir
