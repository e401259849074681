#include "judge/float_numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace kbx::judge {
namespace {

constexpr size_t kValues = 16;

bool passes_float(const ArgSpec& arg) {
  return arg.kind == ArgSpec::Kind::floating || std::any_of(arg.items.begin(), arg.items.end(), passes_float);
}

// Zeros and what is beyond float32's range say nothing of digits.
bool needs_more(double v) { return std::isfinite(v) && v != 0 && std::fabs(v) < 0x1p127 && std::fabs(v) > 0x1p-126 && double(float(v)) != v; }

}  // namespace

bool takes_floats(const Task& task) {
  return std::any_of(task.cases.begin(), task.cases.end(), [](const Case& c) {
    return std::any_of(c.args.begin(), c.args.end(), [](const auto& arg) { return passes_float(arg.second); });
  });
}

bool is_float32_only(const View& got, const View& truth) {
  std::set<double> values;
  size_t needing = 0;
  for (int64_t k = 0; k < got.count(); k++) {
    std::complex<double> have = got.complex_at(k), want = truth.complex_at(k);
    for (auto [h, w] : {std::pair(have.real(), want.real()), std::pair(have.imag(), want.imag())}) {
      if (!needs_more(w)) continue;
      needing++;
      if (double(float(h)) != h) return false;
      if (values.size() < kValues) values.insert(h);
    }
  }
  bool differ = values.size() >= std::min(kValues, needing);
  return needing > 0 && differ && (values.size() > 1 || got.count() == 1);
}

}  // namespace kbx::judge
