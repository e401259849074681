// Dropout masks.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "judge/arguments.h"
#include "judge/chance.h"
#include "judge/explain.h"
#include "judge/float_numbers.h"
#include "judge/noise.h"
#include "judge/statistical.h"

namespace kbx::judge {
namespace {

// The two values that each element may have. Where the reference does not say what a dropped one is, it is 0, and
// exactly 0; where it does, the nearer of the two counts.
struct Choices {
  View kept;
  std::optional<View> dropped;
};

std::vector<uint8_t> dropped_mask(const View& result, const Choices& c) {
  std::vector<double> r = result.all(), s = c.kept.all(), d = c.dropped ? c.dropped->all() : std::vector<double>();
  std::vector<uint8_t> mask(r.size());
  for (size_t k = 0; k < r.size(); k++)
    mask[k] = d.empty() ? r[k] == 0 : r[k] == d[k] || std::abs(r[k] - d[k]) < std::abs(r[k] - s[k]);
  return mask;
}

// What each element must be, given whether it was kept.
View expected_under_own_mask(const View& result, const Choices& c) {
  std::vector<double> s = c.kept.all(), d = c.dropped ? c.dropped->all() : std::vector<double>(s.size(), 0);
  std::vector<uint8_t> dropped = dropped_mask(result, c);
  for (size_t k = 0; k < s.size(); k++)
    if (dropped[k]) s[k] = d[k];
  Bytes bytes(s.size() * 8);
  if (!s.empty()) std::memcpy(bytes.data(), s.data(), bytes.size());
  return View(make_tensor(Dtype::f64, result.shape(), std::move(bytes)));
}

// 1 kept, 0 dropped, 2 where the two are too near each other to tell.
std::vector<uint8_t> mask_of(const View& result, const Choices& c, const Tolerance& t) {
  std::vector<double> s = c.kept.all(), d = c.dropped ? c.dropped->all() : std::vector<double>();
  std::vector<uint8_t> mask = dropped_mask(result, c);
  double smallest = std::max(1e-4 * t.scale, t.format.min_normal);
  for (size_t k = 0; k < mask.size(); k++) {
    bool apart = d.empty() ? std::abs(s[k]) > smallest
                           : std::abs(s[k] - d[k]) > t.at({std::abs(s[k]), 0, 0}) + t.at({std::abs(d[k]), 0, 0});
    mask[k] = apart ? !mask[k] : 2;
  }
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

// `magnitude` may be null; it must outlive the result.
Tolerance tolerance_of(const Evidence& e, const Oracle& oracle, const View& got, const Choices& choices, const View* magnitude) {
  View eager(leaf_tensor(*e.eager));
  Noise noise = measure_noise(eager, nullptr, expected_under_own_mask(eager, choices), nullptr);
  Tolerance t;
  t.rtol = base_tolerance(got.dtype(), takes_floats(e.task));
  t.scale = robust_scale(choices.kept, nullptr);
  t.atol = scaled_atol(got.dtype(), t.scale, got.count(), takes_floats(e.task));
  t.noise = oracle.noise_factor * noise.floor;
  t.noise_factor = oracle.noise_factor;
  t.noise_cap = oracle.noise_factor * noise.largest;
  t.ulps = oracle.ulps;
  t.format = format_of(got.dtype());
  t.magnitude = magnitude;
  if (magnitude) t.magnitude_factor = magnitude_factor(got.dtype(), e.task.tf32);
  return t;
}

void check_values(Judgement& j, const View& got, const Choices& choices, const Tolerance& tolerance) {
  View want = expected_under_own_mask(got, choices);
  Pair pair{got, want, tolerance, nullptr, nullptr};
  j.metrics = compare(pair);
  conclude(j, pair);
  if (j.verdict != Verdict::wrong_value) return;
  j.explanation += fmt::format("; a dropped element must be {}, a kept one its scaled value",
                               choices.dropped ? "what a zero becomes" : "0");
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
  View got(leaf_tensor(*e.got));
  Choices choices{View(leaf_tensor(*e.survivors)), std::nullopt};
  if (e.dropped) choices.dropped.emplace(leaf_tensor(*e.dropped));
  if (choices.kept.count() != got.count() || is_complex(got.dtype()))
    return not_judged(std::move(j), "survivors() has another shape than the result");
  if (choices.dropped && choices.dropped->count() != got.count())
    return not_judged(std::move(j), "dropped() has another shape than the result");
  std::optional<View> magnitude;
  if (e.magnitude && oracle.magnitude) magnitude.emplace(leaf_tensor(*e.magnitude));
  if (magnitude && magnitude->count() != got.count())
    return not_judged(std::move(j), "magnitude() has another shape than the result");
  Tolerance tolerance = tolerance_of(e, oracle, got, choices, magnitude ? &*magnitude : nullptr);
  check_values(j, got, choices, tolerance);
  auto mask = mask_of(got, choices, tolerance);
  check_mask(j, mask, row_length(got), *p);
  if (e.got_again && !has_generator(e) && !check_structure(e.path, *e.got_again, *e.eager)) {
    View again(leaf_tensor(*e.got_again));
    auto second = mask_of(again, choices, tolerance);
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
