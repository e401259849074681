// Dropout masks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "judge/arguments.h"
#include "judge/chance.h"
#include "judge/explain.h"
#include "judge/noise.h"
#include "judge/statistical.h"

namespace kbx::judge {
namespace {

// What each element must be, given whether it was kept: its survivor, or 0 where `result` is 0.
View expected_under_own_mask(const View& result, const View& survivors) {
  std::vector<double> r = result.all(), s = survivors.all();
  for (size_t k = 0; k < s.size(); k++)
    if (r[k] == 0) s[k] = 0;
  Bytes bytes(s.size() * 8);
  if (!s.empty()) std::memcpy(bytes.data(), s.data(), bytes.size());
  return View(make_tensor(Dtype::f64, result.shape(), std::move(bytes)));
}

// 1 kept, 0 dropped, 2 where the survivor is too small to tell.
std::vector<uint8_t> mask_of(const View& result, const View& survivors, double smallest) {
  std::vector<double> r = result.all(), s = survivors.all();
  std::vector<uint8_t> mask(r.size());
  for (size_t k = 0; k < r.size(); k++) mask[k] = !(std::abs(s[k]) > smallest) ? 2 : r[k] != 0;
  return mask;
}

struct Agreement {
  int64_t equal = 0, pairs = 0;
  void add(uint8_t a, uint8_t b) {
    if (a == 2 || b == 2) return;
    pairs++;
    equal += a == b;
  }
};

void check_values(Judgement& j, const Evidence& e, const Oracle& oracle, const View& got, const View& survivors) {
  View eager(leaf_tensor(*e.eager));
  View want = expected_under_own_mask(got, survivors);
  Noise noise = measure_noise(eager, nullptr, expected_under_own_mask(eager, survivors), nullptr);
  Pair pair{got, want, {}, nullptr, nullptr};
  Tolerance& t = pair.tolerance;
  t.rtol = paper_tolerance(got.dtype());
  t.scale = robust_scale(survivors, nullptr);
  t.atol = scaled_atol(got.dtype(), t.scale, got.count());
  t.noise = oracle.noise_factor * noise.floor;
  t.noise_factor = oracle.noise_factor;
  t.noise_cap = oracle.noise_factor * noise.largest;
  t.ulps = oracle.ulps;
  t.format = format_of(got.dtype());
  j.metrics = compare(pair);
  conclude(j, pair);
  if (j.verdict == Verdict::wrong_value) j.explanation += "; a dropped element must be 0, a kept one its scaled value";
}

void check_mask(Judgement& j, const std::vector<uint8_t>& mask, int64_t row, double p) {
  int64_t known = std::count_if(mask.begin(), mask.end(), [](uint8_t m) { return m != 2; });
  int64_t kept = std::count(mask.begin(), mask.end(), uint8_t(1));
  double share = known > 0 ? double(kept) / double(known) : 0;
  if (!plausible_count(kept, known, 1 - p))
    fail_check(j, "kept_fraction", share, 1 - p, kFalseAlarm,
               fmt::format("{} of {} elements are kept ({:.4g}), which dropout with p = {:g} does not give", kept,
                           known, share, p));
  double agree = p * p + (1 - p) * (1 - p);
  for (int64_t d : test_distances(int64_t(mask.size()), row)) {
    Agreement a;
    for (size_t k = 0; k + size_t(d) < mask.size(); k++)
      if (starts_pair(int64_t(k), d)) a.add(mask[k], mask[k + size_t(d)]);
    if (plausible_count(a.equal, a.pairs, agree)) continue;
    double rate = double(a.equal) / double(a.pairs);
    fail_check(j, "mask_correlation", rate, agree, kFalseAlarm,
               fmt::format("elements {} apart are dropped together: {:.4g} of such pairs agree, independent ones "
                           "{:.4g} (random numbers repeat?)",
                           d, rate, agree));
  }
}

}  // namespace

Judgement judge_dropout(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  auto p = number_argument(e.task, e.args, oracle.p);
  bool active = oracle.active.empty() || flag_argument(e.task, e.args, oracle.active).value_or(true);
  if (!active || (p && (*p <= 0 || *p >= 1))) return judge_close(e, oracle);
  if (!p) return not_judged(std::move(j), "the dropout probability is not among the arguments");
  if (!e.survivors) return not_judged(std::move(j), "the reference has no survivors()");
  View got(leaf_tensor(*e.got)), survivors(leaf_tensor(*e.survivors));
  if (survivors.count() != got.count() || is_complex(got.dtype()))
    return not_judged(std::move(j), "survivors() has another shape than the result");
  check_values(j, e, oracle, got, survivors);
  double smallest = std::max(1e-4 * robust_scale(survivors, nullptr), format_of(got.dtype()).min_normal);
  auto mask = mask_of(got, survivors, smallest);
  check_mask(j, mask, row_length(got), *p);
  if (e.got_again && !has_generator(e) && !check_structure(e.path, *e.got_again, *e.eager)) {
    View again(leaf_tensor(*e.got_again));
    auto second = mask_of(again, survivors, smallest);
    Agreement a;
    for (size_t k = 0; k < mask.size(); k++) a.add(mask[k], second[k]);
    double agree = *p * *p + (1 - *p) * (1 - *p), rate = a.pairs > 0 ? double(a.equal) / double(a.pairs) : agree;
    if (!plausible_count(a.equal, a.pairs, agree))
      fail_check(j, "two_calls", rate, agree, kFalseAlarm,
                 a.equal == a.pairs
                     ? "a second call drops exactly the same elements: the mask is not drawn anew"
                     : fmt::format("two calls agree on {:.4g} of the elements, independent ones would on {:.4g}", rate,
                                   agree));
  }
  return j;
}

}  // namespace kbx::judge
