// Oracle `quantized`: a window on both sides, and the contract.
//   value (else wrong_value): against the float reference, cosine >= cosine_min, sum|d|/sum|ref| <= l1_max and
//     RMS(d)/RMS(ref) <= rmse_max; each only if the task gives it, and never stricter than 1.5 x what the exact scheme
//     itself shows on this case (corner cases where honest quantization is far from the float result).
//   contract (else contract_violation): RMS(d)/RMS(ref) >= rel_rms_min, or half of the scheme's own where that is less:
//   a
//     result that is too exact was not quantized. And RMS(got - scheme) <= contract_ratio x RMS(scheme - ref), and
//     RMS(got - scheme) <= spec_rms_max x RMS(scheme) if the task gives it.
// What the output format cannot resolve decides nothing: every distance to the scheme may be kFormatUlps epsilons of
// its RMS larger, and where scheme and float result are no further apart than that (inputs on the grid) there is no
// contract to see. NaN and Inf: compare.h; any place where they differ from the float reference is a wrong value.
#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "judge/explain.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

constexpr double kMargin = 1.5;
constexpr double kFormatUlps = 4;

struct Window {
  Judgement& j;
  double used = 0;  // the largest error in units of its bound
  // Records the first bound that is broken.
  void require(bool holds, Verdict verdict, const char* metric, double value, double bound,
               const std::string& sentence) {
    if (holds || j.verdict != Verdict::correct) return;
    j.verdict = verdict;
    j.metric = metric;
    j.got = value;
    j.expected = j.bound = bound;
    j.explanation = j.path + ": " + sentence;
  }
};

void check_value(Window& w, const Oracle& o, const Metrics& got, const Metrics* scheme) {
  double cosine = o.cosine_min, l1 = o.l1_max, rmse = o.rmse_max;
  if (scheme) {
    // Cosine is quadratic in the error: 1.5 x the error is 2.25 x the distance from 1.
    cosine = std::min(cosine, 1 - kMargin * kMargin * (1 - scheme->cosine));
    l1 = std::max(l1, kMargin * scheme->l1_rel);
    rmse = std::max(rmse, kMargin * scheme->rel_rmse);
  }
  auto sentence = [](const char* name, double value, const char* than, double bound) {
    return fmt::format("{} against the float reference is {:.4g}, {} {:.4g}", name, value, than, bound);
  };
  // Where a bound leaves no room, only an exact answer keeps it.
  auto use = [&w](bool given, double error, double room) {
    if (given && room > 0) w.used = std::max(w.used, error / room);
  };
  use(o.cosine_min > 0, 1 - got.cosine, 1 - cosine);
  use(o.l1_max > 0, got.l1_rel, l1);
  use(o.rmse_max > 0, got.rel_rmse, rmse);
  w.require(o.cosine_min <= 0 || got.cosine >= cosine, Verdict::wrong_value, "cosine", got.cosine, cosine,
            sentence("cosine", got.cosine, "below", cosine));
  w.require(o.l1_max <= 0 || got.l1_rel <= l1, Verdict::wrong_value, "l1_rel", got.l1_rel, l1,
            sentence("the L1-relative error", got.l1_rel, "above", l1));
  w.require(o.rmse_max <= 0 || got.rel_rmse <= rmse, Verdict::wrong_value, "rel_rmse", got.rel_rmse, rmse,
            sentence("the relative RMSE", got.rel_rmse, "above", rmse));
}

double rms_of(const Metrics& m) { return m.rel_rmse > 0 ? m.rmse / m.rel_rmse : 0; }

}  // namespace

Judgement judge_quantized(const Evidence& e, const Oracle& o) {
  Judgement j = begin(e, o, Profile::kbx);
  View got(leaf_tensor(*e.got)), truth(leaf_tensor(e.truth ? *e.truth : *e.eager)), eager(leaf_tensor(*e.eager));
  if (truth.count() != got.count())
    return not_judged(std::move(j), "the float64 reference has another shape than eager");
  std::optional<View> scheme;
  if (e.scheme) scheme.emplace(leaf_tensor(*e.scheme));
  if (scheme && scheme->count() != got.count())
    return not_judged(std::move(j), "scheme() has another shape than the result");
  Tolerance any;
  any.atol = std::numeric_limits<double>::max();  // only NaN and Inf are judged element by element
  Pair pair{got, truth, any, &eager, nullptr};
  j.metrics = compare(pair);
  if (j.metrics.mismatches > 0) {
    conclude(j, pair);
    return j;
  }
  std::optional<Metrics> ideal, distance;
  if (scheme) {
    ideal = compare({*scheme, truth, any, nullptr, nullptr});
    distance = compare({got, *scheme, any, nullptr, nullptr});
  }
  Window w{j};
  check_value(w, o, j.metrics, ideal ? &*ideal : nullptr);
  double least = ideal ? std::min(o.rel_rms_min, 0.5 * ideal->rel_rmse) : o.rel_rms_min;
  double blur = kFormatUlps * epsilon_of(got.dtype());
  if (least > blur)
    w.require(j.metrics.rel_rmse >= least, Verdict::contract_violation, "rel_rmse", j.metrics.rel_rmse, least,
              fmt::format("the relative RMSE against the float reference is {:.3g}, below {:.3g}: more exact than a "
                          "quantized computation can be",
                          j.metrics.rel_rmse, least));
  if (distance) {
    double slack = blur * rms_of(*distance), apart = ideal->rmse;
    bool visible = apart > slack / std::max(o.contract_ratio, 1e-6);
    double bound = o.contract_ratio * apart + slack;
    w.require(o.contract_ratio <= 0 || !visible || distance->rmse <= bound, Verdict::contract_violation,
              "scheme_distance", distance->rmse, bound,
              fmt::format("the RMS distance to the quantized scheme is {:.3g}, more than {:g} of the {:.3g} between "
                          "scheme and float result",
                          distance->rmse, o.contract_ratio, apart));
    w.require(o.spec_rms_max <= 0 || distance->rel_rmse <= o.spec_rms_max + blur, Verdict::contract_violation,
              "spec_rms", distance->rel_rmse, o.spec_rms_max,
              fmt::format("the relative RMS distance to the quantized scheme is {:.3g}, above {:.3g}",
                          distance->rel_rmse, o.spec_rms_max));
  }
  if (j.verdict == Verdict::correct) j.error_share = w.used;
  return j;
}

}  // namespace kbx::judge
