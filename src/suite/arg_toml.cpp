// Scalars, the special tables ({ none = true } ...), lists and tensors.
#include "suite/arg_toml.h"

#include <fmt/core.h>

#include <limits>

#include "suite/dists.h"
#include "suite/float_bits.h"
#include "suite/inputs.h"
#include "suite/task_keys.h"

namespace kbx::suite {
namespace {

using Kind = toml::Node::Kind;
constexpr int kMaxDepth = 16;

ArgSpec read_at(toml::Faults& faults, const toml::Node& node, const std::string& where, int depth);

ArgSpec read_sequence(toml::Faults& faults, const toml::Node& node, ArgSpec::Kind kind, const std::string& where, int depth) {
  ArgSpec out;
  out.kind = kind;
  if (depth > kMaxDepth) {
    faults.add(node, fmt::format("{}: nested too deeply", where));
    return out;
  }
  for (size_t k = 0; k < node.items.size(); k++)
    out.items.push_back(read_at(faults, node.items[k], fmt::format("{}[{}]", where, k), depth + 1));
  return out;
}

// "values" may hold words whose number depends on the dtype.
void read_values(toml::Faults& faults, const toml::Node& node, const std::string& where, TensorSpec& spec) {
  for (const toml::Node& v : node.items) {
    if (v.is_number()) {
      spec.values.push_back(v.number());
    } else if (v.kind == Kind::boolean) {
      spec.values.push_back(v.boolean);
    } else if (v.kind == Kind::string) {
      auto number = special_number(spec.dtype, v.text);
      if (!number)
        faults.add(v, fmt::format("{}: \"{}\" is no value of {}; known: nan inf -inf -0.0 max min tiny denormal", where,
                                  v.text, to_text(spec.dtype)));
      spec.values.push_back(number.value_or(0));
    }
  }
}

// The parameters that the distribution knows; the fixed keys are checked by table.
void read_params(toml::Faults& faults, const toml::Node& node, const DistInfo& info, const std::string& where,
                 TensorSpec& spec) {
  for (const DistParam& p : info.params) {
    const toml::Node* n = node.find(p.name);
    if (!n) continue;
    Key key{p.name, p.is_switch ? toml::KeyType::switch_number : toml::KeyType::number};
    if (!check_type(faults, *n, key)) continue;
    spec.params[std::string(p.name)] = n->kind == Kind::boolean ? double(n->boolean) : n->number();
  }
  if (node.find("values") && info.dist != Dist::values)
    faults.add(*node.find("values"), fmt::format("{}: 'values' belongs to dist = \"values\"", where));
}

ArgSpec read_tensor(toml::Faults& faults, const toml::Node& node, const std::string& where) {
  ArgSpec out;
  out.kind = ArgSpec::Kind::tensor;
  TensorSpec& spec = out.tensor;
  spec.dist = read_string(node, "dist");
  const DistInfo* info = find_dist(spec.dist);
  std::vector<std::string> params;
  if (info)
    for (const DistParam& p : info->params) params.emplace_back(p.name);
  size_t before = faults.count();
  check_table(faults, node, tensor_keys(), where, params);
  if (const toml::Node* shape = node.find("shape"))
    for (const toml::Node& d : shape->items) spec.shape.push_back(d.integer);
  auto dtype = dtype_from_text(read_string(node, "dtype"));
  if (dtype) spec.dtype = *dtype;
  if (node.find("layout")) spec.layout = read_string(node, "layout");
  spec.requires_grad = read_bool(node, "requires_grad", false);
  if (!info || !dtype) return out;
  read_params(faults, node, *info, where, spec);
  if (const toml::Node* values = node.find("values")) read_values(faults, *values, where, spec);
  if (faults.count() != before) return out;
  for (const std::string& what : check_tensor(spec)) faults.add(node, fmt::format("{}: {}", where, what));
  return out;
}

// { copy_of = "input" } and the like.
ArgSpec read_special(toml::Faults& faults, const toml::Node& node, const std::string& where, int depth) {
  ArgSpec out;
  const auto& [name, value] = node.entries[0];
  if (!check_type(faults, value, *find_key(special_value_keys(), name))) return out;
  using K = ArgSpec::Kind;
  if (name == "list") return read_sequence(faults, value, K::list, where, depth);
  if (name == "tuple") return read_sequence(faults, value, K::tuple, where, depth);
  if (name == "torch_dtype") {
    out.kind = K::dtype;
    auto dtype = dtype_from_text(value.text);
    if (!dtype)
      faults.add(value, fmt::format("{}: \"{}\" is no dtype of torch", where, value.text));
    else
      out.text = to_text(*dtype);
  } else if (name == "generator") {
    out.kind = K::generator;
    out.integer = value.integer;
  } else if (name == "copy_of") {
    out.kind = K::copy_of;
    out.text = value.text;
  } else {
    if (!value.boolean) faults.add(value, fmt::format("{}: write {} = true", where, name));
    out.kind = name == "device" ? K::device : K::none;
  }
  return out;
}

ArgSpec read_at(toml::Faults& faults, const toml::Node& node, const std::string& where, int depth) {
  ArgSpec out;
  using K = ArgSpec::Kind;
  switch (node.kind) {
    case Kind::boolean:
      out.kind = K::boolean;
      out.boolean = node.boolean;
      return out;
    case Kind::integer:
      out.kind = K::integer;
      out.integer = node.integer;
      return out;
    case Kind::floating:
      out.kind = K::floating;
      out.floating = node.floating;
      return out;
    case Kind::string:
      out.kind = K::string;
      out.text = node.text;
      return out;
    case Kind::array:
      return read_sequence(faults, node, K::list, where, depth);
    case Kind::date:
      faults.add(node, fmt::format("{}: a date is no argument", where));
      return out;
    case Kind::table:
      break;
  }
  if (node.entries.size() == 1 && find_key(special_value_keys(), node.entries[0].first))
    return read_special(faults, node, where, depth);
  if (node.find("shape") || node.find("dist") || node.find("dtype")) return read_tensor(faults, node, where);
  auto known = key_names(special_value_keys());
  std::string name = node.entries.empty() ? "" : node.entries[0].first;
  if (node.entries.size() > 1 && find_key(special_value_keys(), name))
    faults.add(node, fmt::format("{}: {{ {} = ... }} stands alone in its table", where, name));
  else
    faults.add(node, fmt::format("{}: neither a tensor (shape, dtype, dist) nor a special value{}", where,
                                 toml::did_you_mean(name, known)));
  return out;
}

}  // namespace

ArgSpec read_argument(toml::Faults& faults, const toml::Node& node, const std::string& where) {
  return read_at(faults, node, where, 0);
}

std::optional<double> special_number(Dtype dtype, std::string_view text) {
  if (text == "max") return greatest(dtype);
  if (text == "min") return least(dtype);
  if (is_integer(dtype) || dtype == Dtype::boolean) return std::nullopt;
  if (text == "-0.0") return -0.0;
  if (text == "tiny") return smallest_normal(dtype);
  if (text == "denormal") return smallest_positive(dtype);
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  return std::nullopt;
}

}  // namespace kbx::suite
