// The inner loop of every comparison. Finite elements go four at a time; elements with NaN or Inf on either side, and
// blocks that hold a mismatch, are looked at one by one (element.h).
#include "judge/block.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "judge/element.h"

namespace kbx::judge {
namespace {

using Double4 [[gnu::vector_size(32)]] = double;
using Long4 [[gnu::vector_size(32)]] = long long;

struct alignas(64) Block {
  double got[kBlock], want[kBlock], tolerance[kBlock];
};

Double4 load4(const double* from) {
  Double4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
Double4 modulus(Double4 v) { return Double4(Long4(v) & 0x7fffffffffffffffLL); }
Double4 larger(Double4 a, Double4 b) { return a > b ? a : b; }
double sum(Double4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }
double top(Double4 v) { return std::max(std::max(v[0], v[1]), std::max(v[2], v[3])); }

// What the vector loop cannot decide: true if some lane is not finite, or beyond its tolerance.
struct Special {
  bool not_finite, mismatch;
};

// 1 / (ulp of a float64 of this modulus, times the format's epsilon): a power of two's inverse is a subtraction of
// bits.
Double4 inverse_binade(Double4 want, double min_normal) {
  Double4 b = Double4(Long4(want) & 0x7ff0000000000000LL);
  b = larger(b, Double4{} + min_normal);
  return Double4((2046LL << 52) - Long4(b));
}

Special add_finite(const Block& b, int64_t n, const Format& format, Partial& p) {
  constexpr double kMax = std::numeric_limits<double>::max();
  Double4 max_abs{}, max_rel{}, max_ulp{}, max_allowed{}, abs{}, square{}, wants{}, gg{}, ww{}, gw{};
  Long4 bad{}, finite_lanes{};
  for (int64_t k = 0; k < n; k += 4) {
    Double4 g = load4(b.got + k), w = load4(b.want + k), t = load4(b.tolerance + k);
    Long4 finite = (modulus(g) <= kMax) & (modulus(w) <= kMax);
    finite_lanes += finite;
    g = Double4(Long4(g) & finite);
    w = Double4(Long4(w) & finite);
    Double4 d = modulus(g - w), m = modulus(w);
    bad |= d > t;
    max_abs = larger(d, max_abs);
    max_ulp = larger(d * inverse_binade(m, format.min_normal), max_ulp);
    Double4 ratio = d / m;  // 0/0 is NaN and d/0 is Inf: neither counts, want = 0 has no relative error
    max_rel = larger(m > 0 ? ratio : Double4{}, max_rel);
    Double4 of_allowed = d / t;
    max_allowed = larger(t > 0 ? of_allowed : Double4{}, max_allowed);
    abs += d;
    square += d * d;
    wants += m;
    gg += g * g;
    ww += w * w;
    gw += g * w;
  }
  p.max_abs = std::max(p.max_abs, top(max_abs));
  p.max_rel = std::max(p.max_rel, top(max_rel));
  p.max_allowed = std::max(p.max_allowed, top(max_allowed));
  if (format.epsilon > 0) p.max_ulp = std::max(p.max_ulp, top(max_ulp) / format.epsilon);
  p.sum_abs += sum(abs);
  p.sum_square += sum(square);
  p.sum_want += sum(wants);
  p.got_got += sum(gg);
  p.want_want += sum(ww);
  p.got_want += sum(gw);
  int64_t finite = -(finite_lanes[0] + finite_lanes[1] + finite_lanes[2] + finite_lanes[3]);
  p.finite += finite;
  return {finite != n, (bad[0] | bad[1] | bad[2] | bad[3]) != 0};
}

void count_special(double g, double w, bool wrong, Partial& p) {
  bool gn = std::isnan(g), wn = std::isnan(w), gi = std::isinf(g), wi = std::isinf(w);
  p.nan_got += gn;
  p.nan_want += wn;
  p.inf_got += gi;
  p.inf_want += wi;
  p.nan_places += gn != wn;
  p.inf_places += wrong && !gn && !wn && (gi || wi);
}

// Elements outside the domain become equal zeros; returns how many.
int64_t hide(const View& domain, int64_t first, int64_t n, double* got, double* want) {
  double inside[kBlock];
  domain.load(first, n, inside);
  int64_t hidden = 0;
  for (int64_t k = 0; k < n; k++)
    if (inside[k] == 0) got[k] = want[k] = 0, hidden++;
  return hidden;
}

}  // namespace

void add_real_block(const Pair& pair, int64_t first, int64_t n, Partial& into, uint8_t* mask) {
  Block b;
  pair.got.load(first, n, b.got);
  pair.want.load(first, n, b.want);
  int64_t hidden = pair.domain ? hide(*pair.domain, first, n, b.got, b.want) : 0;
  int64_t padded = (n + 3) / 4 * 4;
  for (int64_t k = n; k < padded; k++) b.got[k] = b.want[k] = 0;
  pair.tolerance.fill(first, padded, b.want, b.tolerance);
  Format format = format_of(pair.got.dtype());
  Special special = add_finite(b, padded, format, into);
  into.finite -= padded - n + hidden;
  into.count += n - hidden;
  if (!special.not_finite && !special.mismatch) return;

  double eager[kBlock];
  if (pair.overflow) pair.overflow->load(first, n, eager);
  for (int64_t k = 0; k < n; k++) {
    double overflow = pair.overflow ? eager[k] : std::numeric_limits<double>::quiet_NaN();
    double x = excess(b.got[k], b.want[k], b.tolerance[k], overflow, format.max_finite);
    bool wrong = !(x <= 1);
    if (wrong) into.add_mismatch(first + k, x);
    if (mask) mask[k] = wrong;
    if (!std::isfinite(b.got[k]) || !std::isfinite(b.want[k])) count_special(b.got[k], b.want[k], wrong, into);
  }
}

void add_complex_block(const Pair& pair, int64_t first, int64_t n, Partial& p, uint8_t* mask) {
  Format format = format_of(pair.got.dtype());
  for (int64_t k = 0; k < n; k++) {
    if (pair.domain && pair.domain->at(first + k) == 0) continue;
    Complex g = pair.got.complex_at(first + k), w = pair.want.complex_at(first + k);
    double size = std::abs(w);
    double x = excess(g, w, pair.tolerance.at(tolerance_element(pair, first + k)));
    bool wrong = !(x <= 1);
    p.count++;
    if (wrong) p.add_mismatch(first + k, x);
    if (mask) mask[k] = wrong;
    if (has_nan(g) || has_nan(w) || has_inf(g) || has_inf(w)) {
      p.nan_got += has_nan(g);
      p.nan_want += has_nan(w);
      p.inf_got += has_inf(g);
      p.inf_want += has_inf(w);
      p.nan_places += has_nan(g) != has_nan(w);
      p.inf_places += wrong && !has_nan(g) && !has_nan(w);
      continue;
    }
    double d = std::abs(g - w);
    p.finite++;
    p.max_abs = std::max(p.max_abs, d);
    if (size > 0) p.max_rel = std::max(p.max_rel, d / size);
    if (std::isfinite(x)) p.max_allowed = std::max(p.max_allowed, x);
    if (format.epsilon > 0) p.max_ulp = std::max(p.max_ulp, d / ulp_of(size, format));
    p.sum_abs += d;
    p.sum_square += d * d;
    p.sum_want += size;
    p.got_got += std::norm(g);
    p.want_want += std::norm(w);
    p.got_want += (std::conj(g) * w).real();
  }
}

}  // namespace kbx::judge
