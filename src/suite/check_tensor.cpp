// check_tensor(): everything that would make a tensor's description impossible to draw.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "suite/dists.h"
#include "suite/float_bits.h"
#include "suite/inputs.h"

namespace kbx::suite {
namespace {

constexpr double kMostElements = 0x1p34;
using List = std::vector<std::string>;

void check_shape(const TensorSpec& spec, List& out) {
  double n = 1;
  for (int64_t d : spec.shape) {
    if (d < 0) return out.push_back(fmt::format("shape: {} is negative", d));
    n *= double(std::max<int64_t>(d, 1));  // strides are products too: [0, 2^62] is no shape
  }
  if (n > kMostElements) out.push_back("shape: more than 2^34 elements");
}

bool is_dim(double dim, size_t rank) {
  double r = double(rank);
  return dim == std::floor(dim) && ((dim >= -r && dim < r) || (rank == 0 && (dim == 0 || dim == -1)));
}

void check_layout(const TensorSpec& spec, List& out) {
  auto layout = parse_layout(spec.layout);
  size_t rank = spec.shape.size();
  if (!layout) {
    return out.push_back(
        fmt::format("layout \"{}\" is not known; one of: contiguous, transposed(a,b), strided(k), "
                    "expanded(d), offset(k), channels_last",
                    spec.layout));
  }
  using K = Layout::Kind;
  auto dim_fits = [&](int64_t d) {
    if (rank == 0 || !is_dim(double(d), rank))
      out.push_back(fmt::format("layout {}: the tensor has no dim {}", spec.layout, d));
  };
  if (layout->kind == K::transposed) dim_fits(layout->a), dim_fits(layout->b);
  if (layout->kind == K::expanded) dim_fits(layout->a);
  if (layout->kind == K::strided && (layout->a < 1 || layout->a > 64 || rank == 0))
    out.push_back("layout strided(k): k is 1 to 64, at least one dim");
  if (layout->kind == K::offset && (layout->a < 0 || layout->a > 1 << 20))
    out.push_back("layout offset(k): k is 0 to 2^20");
  if (layout->kind == K::channels_last && rank != 4) out.push_back("layout channels_last needs 4 dims");
}

void check_params(const TensorSpec& spec, const DistInfo& info, List& out) {
  for (const DistParam& p : info.params)
    if (!p.fallback && !p.optional && !given_param(spec, p.name))
      out.push_back(fmt::format("dist {} needs '{}'", info.name, p.name));
  for (const auto& [name, value] : spec.params) {
    bool known = false;
    for (const DistParam& p : info.params) known |= p.name == name;
    if (!known) out.push_back(fmt::format("dist {} has no parameter '{}'", info.name, name));
    if (!std::isfinite(value)) {
      if (info.dist != Dist::constant) out.push_back(fmt::format("{} must be finite", name));
    }
  }
}

void check_ranges(const TensorSpec& spec, const DistInfo& info, List& out) {
  auto value = [&](std::string_view name) { return param(spec, name); };
  auto whole = [&](std::string_view name, double least_value) {
    double v = value(name);
    if (v != std::floor(v) || v < least_value)
      out.push_back(fmt::format("{} must be a whole number of at least {}", name, least_value));
  };
  auto probability = [&](std::string_view name) {
    if (value(name) < 0 || value(name) > 1) out.push_back(fmt::format("{} must lie between 0 and 1", name));
  };
  auto ordered = [&] {
    if (!(value("low") < value("high"))) out.push_back("low must be below high");
  };
  switch (info.dist) {
    case Dist::uniform:
    case Dist::grid:
      ordered();
      break;
    case Dist::randint:
      ordered();
      if (value("low") != std::floor(value("low")) || value("high") != std::floor(value("high")))
        out.push_back("low and high must be whole numbers");
      else if (value("low") < least(spec.dtype) || value("high") - 1 > greatest(spec.dtype))
        out.push_back(fmt::format("[low, high) does not fit {}", to_text(spec.dtype)));
      break;
    case Dist::positive:
      ordered();
      if (!(value("low") > 0)) out.push_back("low must be greater than 0");
      break;
    case Dist::bernoulli:
    case Dist::chosen:
    case Dist::outliers:
      probability(info.dist == Dist::bernoulli ? "p" : info.dist == Dist::chosen ? "share" : "prob");
      break;
    case Dist::class_index:
      whole("classes", 1);
      probability("ignore_prob");
      if (value("classes") - 1 > greatest(spec.dtype))
        out.push_back(fmt::format("classes do not fit {}", to_text(spec.dtype)));
      break;
    case Dist::ties:
      whole("levels", 1);
      break;
    case Dist::values:
      if (spec.values.empty()) out.push_back("dist values needs values = [...]");
      break;
    case Dist::low_rank:
      whole("rank", 1);
      if (value("rank") > 65536) out.push_back("rank must be at most 65536");
      break;
    case Dist::spd:
    case Dist::conditioned:
    case Dist::triangular:
      if (!(value("cond") >= 1)) out.push_back("cond must be at least 1");
      break;
    default:
      break;
  }
}

void check_form(const TensorSpec& spec, const DistInfo& info, List& out) {
  size_t rank = spec.shape.size();
  if (info.family == DistInfo::Family::matrix) {
    bool square = info.dist == Dist::spd || info.dist == Dist::symmetric;
    if (rank < 2)
      out.push_back(fmt::format("dist {} needs at least 2 dims", info.name));
    else if (square && spec.shape[rank - 1] != spec.shape[rank - 2])
      out.push_back(fmt::format("dist {} needs square matrices", info.name));
    if (!is_floating(spec.dtype) && !is_complex(spec.dtype))
      out.push_back(fmt::format("dist {} needs a floating or complex dtype", info.name));
  }
  if (info.family != DistInfo::Family::rows) return;
  if (is_complex(spec.dtype)) out.push_back(fmt::format("dist {} has no complex form", info.name));
  bool has_dim = info.dist != Dist::sorted;
  if (has_dim && !is_dim(param(spec, "dim"), rank))
    out.push_back(fmt::format("the tensor has no dim {}", param(spec, "dim")));
}

}  // namespace

std::vector<std::string> check_tensor(const TensorSpec& spec) {
  List out;
  check_shape(spec, out);
  check_layout(spec, out);
  const DistInfo* info = find_dist(spec.dist);
  if (!info) {
    out.push_back(fmt::format("dist \"{}\" is not known", spec.dist));
    return out;
  }
  check_params(spec, *info, out);
  if (!out.empty()) return out;
  check_ranges(spec, *info, out);
  check_form(spec, *info, out);
  if (spec.requires_grad && !is_floating(spec.dtype) && !is_complex(spec.dtype))
    out.push_back("requires_grad needs a floating or complex dtype");
  return out;
}

}  // namespace kbx::suite
