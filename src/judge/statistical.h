// Inside the oracle `statistical`: its three forms and what they share. Every check's false-alarm rate is at most
// kFalseAlarm (chance.h). NaN or Inf in a random result is always wrong, unless a form says otherwise.
#pragma once
#include <string>

#include "judge/oracles.h"

namespace kbx::judge {

// Dropout: every element is exactly 0, or close to survivors(...) (NaN and Inf as in compare.h); with dropped(...) it
// is close to the nearer of the two. Among the elements whose survivor is not (almost) 0, or whose two values lie
// further apart than the tolerances of both: the kept share fits 1 - p; masks at the distances of chance.h agree as
// often as independent ones do, p^2 + (1-p)^2; and so do those of two calls, unless a generator fixes them. Inactive,
// p = 0 and p = 1: as `close`.
Judgement judge_dropout(const Evidence& evidence, const Oracle& oracle);
// Uniform on [0, 1): range, empirical CDF (at 4096 edges), mean, variance, correlation at the distances of chance.h and
// with the second call, balance of the leading bits (33 in f64, 23 in f32, 10 in f16, 7 in bf16).
Judgement judge_uniform(const Evidence& evidence, const Oracle& oracle);
// Binomial(n, p), n from survivors(...) or the argument of role "count", p from probability(...) or the argument named
// by the oracle's p, both broadcast: integral, 0 <= k <= n, sum and variance, independence at the distances of chance.h
// and of a second call. n = 0, p = 0 and p = 1 are exact.
Judgement judge_binomial(const Evidence& evidence, const Oracle& oracle);

// The judgement's first failed check, as wrong_value.
void fail_check(Judgement& judgement, const char* metric, double got, double expected, double bound,
                const std::string& sentence);
// A generator argument that the case gives: two calls may then be alike.
bool has_generator(const Evidence& evidence);
int64_t row_length(const View& view);

}  // namespace kbx::judge
