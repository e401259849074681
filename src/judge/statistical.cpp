// Oracle `statistical`: dispatch and shared parts.
#include "judge/statistical.h"

#include <fmt/core.h>

#include <algorithm>

namespace kbx::judge {

void fail_check(Judgement& j, const char* metric, double got, double expected, double bound,
                const std::string& sentence) {
  if (j.verdict != Verdict::correct) return;
  j.verdict = Verdict::wrong_value;
  j.metric = metric;
  j.got = got;
  j.expected = expected;
  j.bound = bound;
  j.explanation = j.path + ": " + sentence;
}

bool has_generator(const Evidence& e) {
  auto is_generator = [](const Value& v) { return v.kind == ValueKind::generator; };
  return std::any_of(e.args.args.begin(), e.args.args.end(), is_generator) ||
         std::any_of(e.args.kwargs.begin(), e.args.kwargs.end(),
                     [&](const auto& named) { return is_generator(named.second); });
}

int64_t row_length(const View& view) { return view.shape().empty() ? 1 : view.shape().back(); }

Judgement judge_statistical(const Evidence& e, const Oracle& oracle) {
  if (oracle.form == "dropout") return judge_dropout(e, oracle);
  if (oracle.form == "uniform") return judge_uniform(e, oracle);
  if (oracle.form == "binomial") return judge_binomial(e, oracle);
  return not_judged(begin(e, oracle, Profile::kbx),
                    fmt::format("the statistical oracle has no form '{}'", oracle.form));
}

}  // namespace kbx::judge
