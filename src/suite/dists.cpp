// The distribution table; the generators are fill_*.cpp.
#include "suite/dists.h"

#include <array>
#include <charconv>

#include "base/check.h"
#include "base/text.h"

namespace kbx::suite {
namespace {

using F = DistInfo::Family;
const DistParam kMean{"mean", 0.0}, kStd{"std", 1.0}, kDim{"dim", -1.0}, kCond{"cond", 10.0};
const std::array kDists{
    DistInfo{Dist::normal, "normal", {kMean, kStd}, F::continuous},
    DistInfo{Dist::uniform, "uniform", {{"low", 0.0}, {"high", 1.0}}, F::continuous},
    DistInfo{Dist::lognormal, "lognormal", {kMean, kStd}, F::one_sided},
    DistInfo{Dist::randint, "randint", {{"low", {}}, {"high", {}}}, F::elementwise},
    DistInfo{Dist::bernoulli, "bernoulli", {{"p", 0.5}}, F::elementwise},
    DistInfo{Dist::constant, "constant", {{"value", {}}}, F::elementwise},
    DistInfo{Dist::values, "values", {}, F::elementwise},
    DistInfo{Dist::linspace, "linspace", {{"low", {}}, {"high", {}}}, F::elementwise},
    DistInfo{Dist::positive, "positive", {{"low", 0.1}, {"high", 4.0}}, F::one_sided},
    DistInfo{Dist::outliers, "outliers", {kMean, kStd, {"prob", 0.01}, {"scale", 50.0}}, F::continuous},
    DistInfo{Dist::probabilities, "probabilities", {kDim}, F::rows},
    DistInfo{Dist::log_probabilities, "log_probabilities", {kDim}, F::rows},
    DistInfo{Dist::class_index,
             "class_index",
             {{"classes", {}}, {"ignore", {}, true}, {"ignore_prob", 0.0}},
             F::elementwise},
    DistInfo{Dist::permutation, "permutation", {kDim}, F::rows},
    DistInfo{Dist::sorted, "sorted", {kMean, kStd}, F::rows},
    DistInfo{Dist::ties, "ties", {{"levels", 4.0}}, F::elementwise},
    DistInfo{Dist::spd, "spd", {kCond}, F::matrix},
    DistInfo{Dist::symmetric, "symmetric", {{"hermitian", 0.0, false, true}}, F::matrix},
    DistInfo{
        Dist::triangular, "triangular", {{"upper", 0.0, false, true}, {"unit", 0.0, false, true}, kCond}, F::matrix},
    DistInfo{Dist::orthogonal, "orthogonal", {}, F::matrix},
    DistInfo{Dist::conditioned, "conditioned", {kCond}, F::matrix},
    DistInfo{Dist::low_rank, "low_rank", {{"rank", {}}}, F::matrix},
    DistInfo{Dist::grid, "grid", {{"low", -1.1}, {"high", 1.1}}, F::elementwise},
    DistInfo{Dist::poison, "poison", {}, F::elementwise},
    DistInfo{Dist::edge, "edge", {kMean, kStd}, F::elementwise},
    DistInfo{Dist::chosen, "chosen", {{"share", 0.5}}, F::elementwise},
};

bool read_int(std::string_view text, int64_t& out) {
  std::string t = trim(text);
  auto r = std::from_chars(t.data(), t.data() + t.size(), out);
  return r.ec == std::errc() && r.ptr == t.data() + t.size();
}

}  // namespace

std::span<const DistInfo> dists() { return kDists; }
const DistInfo* find_dist(std::string_view name) {
  for (const DistInfo& d : kDists)
    if (d.name == name) return &d;
  return nullptr;
}

std::optional<double> given_param(const TensorSpec& spec, std::string_view name) {
  auto it = spec.params.find(std::string(name));
  if (it == spec.params.end()) return std::nullopt;
  return it->second;
}
double param(const TensorSpec& spec, std::string_view name) {
  if (auto given = given_param(spec, name)) return *given;
  const DistInfo* info = find_dist(spec.dist);
  KBX_CHECK(info);
  for (const DistParam& p : info->params)
    if (p.name == name && p.fallback) return *p.fallback;
  KBX_UNREACHABLE("a distribution parameter without a value");
}

std::optional<Layout> parse_layout(std::string_view text) {
  using K = Layout::Kind;
  if (text == "contiguous") return Layout{};
  if (text == "channels_last") return Layout{K::channels_last};
  size_t open = text.find('(');
  if (open == text.npos || text.back() != ')') return std::nullopt;
  std::string_view name = text.substr(0, open);
  auto numbers = split(text.substr(open + 1, text.size() - open - 2), ',');
  Layout out;
  if (!read_int(numbers[0], out.a)) return std::nullopt;
  if (name == "transposed") {
    out.kind = K::transposed;
    if (numbers.size() != 2 || !read_int(numbers[1], out.b)) return std::nullopt;
    return out;
  }
  if (numbers.size() != 1) return std::nullopt;
  if (name == "strided")
    out.kind = K::strided;
  else if (name == "expanded")
    out.kind = K::expanded;
  else if (name == "offset")
    out.kind = K::offset;
  else
    return std::nullopt;
  return out;
}

}  // namespace kbx::suite
