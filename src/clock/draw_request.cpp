#include "clock/draw_request.h"

#include <fmt/format.h>

#include <cmath>

namespace kbx::clock {
namespace {

using device::DrawSpec;
constexpr uint64_t kMostNumbers = uint64_t(1) << 38;

struct Params {
  const Json& json;
  double get_or(const char* name, double fallback) const { return get_double(json, name).value_or(fallback); }
};

// The greatest value of a type below `bound`, which lies within the type's range.
double just_below(Dtype dtype, double bound) {
  using namespace device;
  if (dtype == Dtype::f64 || dtype == Dtype::c128) return std::nextafter(bound, -INFINITY);
  if (dtype == Dtype::f32 || dtype == Dtype::c64) {
    auto f = float(bound);
    return double(f) < bound ? double(f) : double(std::nextafter(f, -INFINITY));
  }
  if (!is_floating(dtype)) return std::ceil(bound) - 1;
  SmallFloat format = small_float(uint32_t(dtype));
  uint32_t code = encode_small(bound, format), sign = 1u << (format.exponent + format.mantissa);
  if (decode_small(code, format) < bound) return decode_small(code, format);
  if (code & sign) return decode_small(code + 1, format);
  return decode_small((code & (sign - 1)) == 0 ? sign | 1 : code - 1, format);
}

// What depends on the place of an element, and so on the shape. False: another distribution, or one that is not for `shape`.
bool set_placed(DrawSpec& d, const std::string& dist, const std::vector<double>& shape, const Params& p) {
  if (shape.empty()) return false;
  if (dist == "permutation" || dist == "probabilities" || dist == "log_probabilities") {
    double dim = p.get_or("dim", -1), axis = dim < 0 ? dim + double(shape.size()) : dim;
    if (!(axis >= 0) || !(axis < double(shape.size())) || !(shape[size_t(axis)] >= 1)) return false;
    double n = shape[size_t(axis)];
    if (dist != "permutation") {
      d.dist = device::kProbability, d.a = device::log_of(n), d.b = dist == "log_probabilities" ? 1 : 0;
      return true;
    }
    d.dist = device::kPermutation, d.c = n, d.d = 1, d.e = 1;
    for (size_t k = size_t(axis) + 1; k < shape.size(); k++) d.d *= shape[k];
    while (std::exp2(2 * d.e) < n) d.e++;
    return d.d >= 1 && d.e <= 31;
  }
  if (shape.size() < 2 || d.step != 1) return false;
  d.c = shape[shape.size() - 2], d.d = shape.back();
  double least = std::min(d.c, d.d);
  if (!(least >= 1)) return false;
  if (dist == "symmetric") d.dist = device::kSymmetric;
  if (dist == "triangular") {
    d.dist = device::kTriangular, d.a = device::log_of(std::max(1.0, p.get_or("cond", 10))), d.b = 0.5 / std::sqrt(least);
    d.e = (p.get_or("upper", 0) != 0 ? 1 : 0) + (p.get_or("unit", 0) != 0 ? 2 : 0);
  }
  return dist == "triangular" || (dist == "symmetric" && d.c == d.d);
}

bool set_distribution(DrawSpec& d, const std::string& dist, Dtype dtype, const Params& p, bool wide) {
  auto normal = [&](uint32_t kind) { d.dist = kind, d.a = p.get_or("mean", 0), d.b = p.get_or("std", 1); };
  // As the suite does: logarithms in double, then in the arithmetic of the numbers.
  auto log_in = [&](double x) { return wide ? device::log_of(x) : double(float(device::log_of(x))); };
  if (dist == "normal") normal(device::kNormal);
  else if (dist == "lognormal") normal(device::kLognormal);
  else if (dist == "outliers") normal(device::kOutliers), d.c = p.get_or("prob", 0.01), d.d = p.get_or("scale", 50);
  else if (dist == "uniform" || dist == "grid") {
    double low = p.get_or("low", dist == "grid" ? -1.1 : 0), high = p.get_or("high", dist == "grid" ? 1.1 : 1);
    d.dist = device::kUniform, d.a = low, d.c = just_below(dtype, high);
    d.b = wide ? high - low : double(float(high) - float(low));
  } else if (dist == "positive") {
    double low = log_in(p.get_or("low", 0.1)), high = log_in(p.get_or("high", 4));
    d.dist = device::kPositive, d.a = low, d.b = wide ? high - low : double(float(high) - float(low));
  } else if (dist == "randint") d.dist = device::kRandint, d.a = p.get_or("low", 0), d.b = p.get_or("high", 1) - d.a;
  else if (dist == "class_index") {
    d.dist = device::kRandint, d.b = p.get_or("classes", 1);
    d.c = get_double(p.json, "ignore") ? 1 : 0, d.d = p.get_or("ignore", 0), d.e = p.get_or("ignore_prob", 0);
  } else if (dist == "ties") {
    double levels = p.get_or("levels", 4);
    d.dist = device::kRandint, d.a = is_integer(dtype) ? 0 : -std::floor(levels / 2), d.b = levels;
  } else if (dist == "bernoulli") d.dist = device::kBernoulli, d.a = p.get_or("p", 0.5);
  else if (dist == "chosen") {
    auto elements = double(d.count / d.step);
    d.dist = device::kChosen, d.a = std::floor(p.get_or("share", 0.5) * elements + 0.5), d.e = 1;
    while (std::exp2(2 * d.e) < elements) d.e++;
  } else if (dist == "constant") d.dist = device::kConstant, d.a = p.get_or("value", 0);
  else if (dist == "linspace") d.dist = device::kLinspace, d.a = p.get_or("low", 0), d.b = p.get_or("high", 0);
  else if (dist == "values") d.dist = device::kValues;
  else if (dist == "spd" || dist == "conditioned") d.dist = dist == "spd" ? device::kSpd : device::kConditioned, d.a = device::log_of(std::max(1.0, p.get_or("cond", 10)));
  else return false;
  return true;
}

Outcome<void> set_matrix(DrawRequest& r, const Json& shape, uint64_t elements) {
  if (!shape.is_array() || shape.size() < 2) return fault(Fault::Kind::command, fmt::format("{}: a matrix needs a shape of two dims", r.name));
  auto dim = [&](size_t k) { return shape[k].is_number_integer() ? shape[k].get<int64_t>() : int64_t(-1); };
  int64_t rows = dim(shape.size() - 2), cols = dim(shape.size() - 1);
  if (rows < 1 || cols < 1 || elements % uint64_t(rows) || elements / uint64_t(rows) % uint64_t(cols))
    return fault(Fault::Kind::command, fmt::format("{}: its count is not that of its matrices", r.name));
  if (r.draw.dist == device::kSpd && rows != cols) return fault(Fault::Kind::command, fmt::format("{}: not square", r.name));
  r.matrix = true;
  r.rows = uint64_t(rows), r.cols = uint64_t(cols), r.batches = elements / uint64_t(rows) / uint64_t(cols);
  return {};
}

Outcome<void> read_values(DrawRequest& r, const Json& values) {
  if (!values.is_array() || values.empty()) return fault(Fault::Kind::command, fmt::format("{}: no values to draw", r.name));
  for (const Json& v : values) {
    if (!v.is_number()) return fault(Fault::Kind::command, fmt::format("{}: a value that is no number", r.name));
    r.values.push_back(v.get<double>());
  }
  r.draw.value_count = r.values.size();
  return {};
}

Outcome<void> read_draw(DrawRequest& r, const Json& draw) {
  auto dtype = dtype_from_text(get_string(draw, "dtype").value_or(""));
  auto count = get_int(draw, "count");
  const Json& key = get(draw, "key");
  auto word = [&](size_t k) -> int64_t { return key.is_array() && key.size() == 2 && key[k].is_number_integer() ? key[k].get<int64_t>() : -1; };
  if (!dtype || !count || *count < 0 || uint64_t(*count) > kMostNumbers) return fault(Fault::Kind::command, fmt::format("{}: no dtype or count", r.name));
  if (word(0) < 0 || word(1) < 0) return fault(Fault::Kind::command, fmt::format("{}: no key", r.name));
  r.drawn = true;
  r.wide = !((is_floating(*dtype) && *dtype != Dtype::f64) || *dtype == Dtype::c64);
  r.bytes = uint64_t(*count) * size_of(*dtype);
  r.draw.number = uint32_t(*dtype);
  r.draw.step = is_complex(*dtype) ? 2 : 1;
  r.draw.count = uint64_t(*count) * r.draw.step;
  r.draw.stream = {uint32_t(word(0)), uint32_t(word(1)), uint32_t(get_int(draw, "salt").value_or(0))};
  std::string dist = get_string(draw, "dist").value_or("");
  std::vector<double> shape;
  for (const Json& size : get(draw, "shape"))
    if (size.is_number_integer()) shape.push_back(double(size.get<int64_t>()));
  Params params{get(draw, "params")};
  if (!set_distribution(r.draw, dist, *dtype, params, r.wide) && !set_placed(r.draw, dist, shape, params)) return fault(Fault::Kind::command, fmt::format("{}: '{}' cannot be drawn on a card", r.name, dist));
  if (r.draw.dist == device::kRandint && !(r.draw.b > 0)) return fault(Fault::Kind::command, fmt::format("{}: an empty range", r.name));
  if (r.draw.dist == device::kValues) return read_values(r, get(draw, "values"));
  if (r.draw.dist == device::kSpd || r.draw.dist == device::kConditioned) return set_matrix(r, get(draw, "shape"), uint64_t(*count));
  return {};
}

}  // namespace

Outcome<DrawRequest> read_draw_request(const Json& input, size_t blob_bytes) {
  DrawRequest r;
  r.name = get_string(input, "name").value_or("");
  if (r.name.empty()) return fault(Fault::Kind::command, "an input without a name");
  if (const Json& draw = get(input, "draw"); draw.is_object()) {
    KBX_TRY(read_draw(r, draw));
    return r;
  }
  auto at = get_int(input, "at"), bytes = get_int(input, "bytes");
  if (!at || !bytes || *at < 0 || *bytes < 0 || uint64_t(*at) > blob_bytes || uint64_t(*bytes) > blob_bytes - uint64_t(*at))
    return fault(Fault::Kind::command, fmt::format("{}: its bytes lie outside the message", r.name));
  r.blob_at = uint64_t(*at);
  r.bytes = uint64_t(*bytes);
  return r;
}

}  // namespace kbx::clock
