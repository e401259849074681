// The distributions and layouts a tensor can be described with (docs/task_format.md), as tables.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/task.h"

namespace kbx::suite {

enum class Dist : unsigned char {
  normal,
  uniform,
  lognormal,
  randint,
  bernoulli,
  constant,
  values,
  linspace,
  positive,
  outliers,
  probabilities,
  log_probabilities,
  class_index,
  permutation,
  sorted,
  ties,
  spd,
  symmetric,
  triangular,
  orthogonal,
  conditioned,
  low_rank,
  grid,
  poison,
  edge,
  chosen
};

struct DistParam {
  std::string_view name;
  std::optional<double> fallback;  // none: must be given, unless optional
  bool optional = false;           // may be absent although there is no fallback
  bool is_switch = false;          // true/false
};

struct DistInfo {
  Dist dist;
  std::string_view name;
  std::vector<DistParam> params;
  enum class Family : unsigned char {
    elementwise,  // any dtype
    continuous,   // elementwise and the outlier phase applies by default
    one_sided,    // as continuous, but only where [outlier] has a clamp that restores the domain
    rows,         // whole lines along one dim
    matrix        // the last two dims; floating or complex only
  } family;
};

std::span<const DistInfo> dists();
const DistInfo* find_dist(std::string_view name);
// The parameter given, or its fallback. KBX_CHECKs that there is one.
double param(const TensorSpec& spec, std::string_view name);
std::optional<double> given_param(const TensorSpec& spec, std::string_view name);

struct Layout {
  enum class Kind : unsigned char {
    contiguous,
    transposed,
    strided,
    expanded,
    offset,
    channels_last
  } kind = Kind::contiguous;
  int64_t a = 0, b = 0;  // transposed(a,b), strided(a), expanded(a), offset(a)
};
// nullopt when the text is no layout at all; whether it fits a shape is check_tensor's matter.
std::optional<Layout> parse_layout(std::string_view text);

}  // namespace kbx::suite
