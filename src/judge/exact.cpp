// Oracle `exact`: bit for bit what eager gives.
// NaN equals NaN whatever its payload; -0.0 equals 0.0 unless signed_zero; Inf by its sign. Integers are compared as
// integers. Two exceptions a task may ask for: ties (ties.cpp), and `within` for integers that come from rounding a
// real number: they may differ from eager by that much where the float64 truth is within 1e-5 of a multiple of 1/2 (a
// border of rounding or truncation), or where the float64 reference itself rounded to what came.
#include <cmath>
#include <cstring>

#include "judge/explain.h"
#include "judge/oracles.h"
#include "judge/partial.h"

namespace kbx::judge {
namespace {

int64_t integer_at(const View& view, int64_t k) {
  if (view.dtype() != Dtype::i64) return int64_t(view.at(k));
  int64_t value;
  std::memcpy(&value, view.data() + k * 8, 8);
  return value;
}

bool float_equal(double a, double b, bool signed_zero) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && (!signed_zero || a != 0 || std::signbit(a) == std::signbit(b));
}

// One element's question, with what the exceptions need.
struct Exact {
  const View& got;
  const View& want;
  const View* truth;
  const Oracle& oracle;
  const Ties& ties;

  bool near_border(int64_t k, int64_t g, int64_t w) const {
    if (oracle.within <= 0 || !truth || std::abs(double(g) - double(w)) > oracle.within) return false;
    if (!is_floating(truth->dtype())) return integer_at(*truth, k) == g;
    double halves = truth->at(k) * 2;
    return std::abs(halves - std::round(halves)) <= 2e-5;
  }
  bool right(int64_t k) const {
    if (is_complex(got.dtype())) {
      std::complex<double> g = got.complex_at(k), w = want.complex_at(k);
      return float_equal(g.real(), w.real(), oracle.signed_zero) && float_equal(g.imag(), w.imag(), oracle.signed_zero);
    }
    if (is_floating(got.dtype())) return float_equal(got.at(k), want.at(k), oracle.signed_zero);
    int64_t g = integer_at(got, k), w = integer_at(want, k);
    return g == w || ties.same_value(k, g, w) || near_border(k, g, w);
  }
};

}  // namespace

Judgement judge_exact(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  View got(leaf_tensor(*e.got)), eager(leaf_tensor(*e.eager));
  std::optional<View> truth, domain;
  if (e.truth) truth.emplace(leaf_tensor(*e.truth));
  if (e.domain) domain.emplace(leaf_tensor(*e.domain));
  for (const auto* v : {&truth, &domain})
    if (*v && (*v)->count() != got.count())
      return not_judged(std::move(j), "a helper of the reference has another shape than its result");
  Pair pair{got, eager, {}, nullptr, domain ? &*domain : nullptr};
  j.metrics = compare(pair);
  size_t bytes = size_t(got.count()) * size_of(got.dtype());
  if (bytes == 0 || std::memcmp(got.data(), eager.data(), bytes) == 0) {
    j.metrics.mismatches = 0;
    j.metrics.first_mismatch = j.metrics.worst = -1;
    j.error_share = 0;
    return j;
  }
  Ties ties(e, oracle, got.count());
  Exact exact{got, eager, truth ? &*truth : nullptr, oracle, ties};
  std::vector<uint8_t> wrong(size_t(got.count()), 0);
  Partial p;
  for (int64_t k = 0; k < got.count(); k++) {
    if ((domain && domain->at(k) == 0) || exact.right(k)) continue;
    wrong[size_t(k)] = 1;
    p.add_mismatch(k, std::abs(got.complex_at(k) - eager.complex_at(k)));
  }
  j.metrics.mismatches = p.mismatches;
  j.metrics.first_mismatch = j.metrics.worst = p.first;
  conclude_with(j, pair, wrong);
  if (j.verdict == Verdict::correct) j.error_share = 0;
  return j;
}

}  // namespace kbx::judge
