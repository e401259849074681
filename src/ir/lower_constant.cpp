// Constants, ranges and what the launch knows: they are filled in once an arena.
#include <bit>
#include <cstring>

#include "ir/lowering.h"
#include "ir/ops_shuffle.h"
#include "ir/scan_text.h"
#include "ir/small_float.h"

namespace kbx::ir {
namespace {

// One lane as the arena holds it; nothing = damaged.
std::optional<uint64_t> lane_of(Kind kind, std::string_view text) {
  if (!is_float(kind)) {
    if (kind != Kind::ptr && !is_integer(kind)) return std::nullopt;
    std::optional<uint64_t> bits = scan_hex(text);
    if (!bits) {
      auto value = scan_integer(text);
      if (!value) return std::nullopt;
      bits = static_cast<uint64_t>(*value);
    }
    return kind == Kind::i1 ? *bits & 1 : *bits;
  }
  if (auto bits = scan_hex(text)) {
    if (kind == Kind::f64) return *bits;
    return std::bit_cast<uint32_t>(bits_to_float(kind, static_cast<uint32_t>(*bits)));
  }
  auto value = scan_double(text);
  if (!value) return std::nullopt;
  if (kind == Kind::f64) return std::bit_cast<uint64_t>(*value);
  auto f = static_cast<float>(*value);
  if (is_small_float(kind)) round_floats(kind, &f, 1);
  return std::bit_cast<uint32_t>(f);
}

Lowered add_constant(Lowering& l, const Op& o, Constant constant) {
  ValueId v = o.results[0];
  KBX_TRY(l.reserve_table(o, constant.bytes.size()));
  constant.at = l.fresh(uint64_t{l.lanes(v)} * lane_bytes(l.type(v).kind), true);
  l.alias(v, constant.at, true);
  l.code.constants.push_back(std::move(constant));
  return {};
}

// The values of "dense<1.0> : tensor<..>", "dense<[1, 2]> : ..", "1 : i32", "true".
std::optional<std::vector<std::string_view>> items_of(std::string_view text, size_t limit) {
  std::vector<std::string_view> items;
  if (!text.starts_with("dense<")) {
    items.push_back(strip(text.substr(0, text.find(" :"))));
    return items;
  }
  size_t end = text.rfind(": tensor");
  end = end == text.npos ? text.npos : text.rfind('>', end);
  if (end == text.npos || end < 6) return std::nullopt;
  text = text.substr(6, end - 6);
  while (!text.empty()) {
    size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (!item.empty() && (item.front() == '[' || item.front() == ' ')) item.remove_prefix(1);
    while (!item.empty() && (item.back() == ']' || item.back() == ' ')) item.remove_suffix(1);
    if (items.size() == limit) return std::nullopt;
    items.push_back(item);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return items;
}

Lowered lower_constant(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 0, 1));
  const Type& t = l.type(o.results[0]);
  uint32_t n = l.lanes(o.results[0]);
  if (t.kind == Kind::other) return l.not_judged(o, "of an unknown type");
  std::string_view text = o.text("value");
  if (text.starts_with("dense<\"") || text.starts_with("dense_resource")) return l.not_judged(o, "a packed constant");
  auto items = items_of(text, kMaxLanes);
  KBX_TRY(l.expect(o, items && (items->size() == 1 || items->size() == n), "the value"));
  Constant c;
  c.repeat = items->size() == 1 ? n : 1;
  uint32_t width = lane_bytes(t.kind);
  for (std::string_view item : *items) {
    auto lane = lane_of(t.kind, item);
    KBX_TRY(l.expect(o, lane.has_value(), "the value"));
    const auto* bytes = reinterpret_cast<const uint8_t*>(&*lane);
    c.bytes.insert(c.bytes.end(), bytes, bytes + width);
  }
  return add_constant(l, o, std::move(c));
}

Lowered lower_range(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 0, 1));
  auto start = o.integer("start", 0), end = o.integer("end", 0);
  const Type& t = l.type(o.results[0]);
  KBX_TRY(l.expect(o, start && end && t.kind == Kind::i32 && t.tensor, "the type or the bounds"));
  KBX_TRY(l.expect(o, *end >= *start && *start >= INT32_MIN && *end <= INT32_MAX && *end - *start == t.lanes,
                   "the bounds"));
  Constant c;
  c.bytes.resize(uint64_t{t.lanes} * sizeof(int32_t));
  for (uint32_t k = 0; k < t.lanes; k++) {
    auto v = static_cast<int32_t>(*start + k);
    std::memcpy(c.bytes.data() + k * sizeof v, &v, sizeof v);
  }
  return add_constant(l, o, std::move(c));
}

Lowered lower_poison(Lowering& l, const Op& o) {
  KBX_TRY(l.expect_arity(o, 0, 1));
  Inst i;
  i.run = poison;
  i.flow = Flow::own;
  i.kind = l.type(o.results[0]).kind;
  i.lanes = l.lanes(o.results[0]);
  i.bytes = static_cast<uint8_t>(lane_bytes(i.kind));
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}

Lowered lower_program(Lowering& l, const Op& o, Kernel kernel) {
  KBX_TRY(l.expect_arity(o, 0, 1));
  auto axis = o.integer("axis", 0);
  const Type& t = l.type(o.results[0]);
  KBX_TRY(l.expect(o, axis && *axis >= 0 && *axis < 3 && t.kind == Kind::i32 && !t.tensor, "the axis or the type"));
  Inst i;
  i.run = kernel;
  i.kind = Kind::i32;
  i.x = static_cast<uint32_t>(*axis);
  i.out = l.make(o.results[0]);
  l.emit(i);
  return {};
}
Lowered lower_program_id(Lowering& l, const Op& o) { return lower_program(l, o, program_id); }
Lowered lower_program_count(Lowering& l, const Op& o) { return lower_program(l, o, program_count); }

constexpr OpRow kRows[] = {
    {"arith.constant", lower_constant, true},
    {"tt.make_range", lower_range},
    {"ub.poison", lower_poison},
    {"tt.get_program_id", lower_program_id},
    {"tt.get_num_programs", lower_program_count},
};

}  // namespace

std::span<const OpRow> constant_rows() { return kRows; }

}  // namespace kbx::ir
