// Binomial draws: k_i ~ B(n_i, p_i), independent. With m = n p, v = n p q:
//   sum of k_i - m_i:          variance v_i, deviation <= n_i
//   sum of (k_i - m_i)^2 - v_i: variance mu4 - v^2 with mu4 = v (1 + 3 (n - 2) p q), deviation <= n_i^2
//   two calls, (k - m)(k' - m): variance v^2, deviation <= n_i^2
// each a sum_bound() of chance.h.
#include <fmt/core.h>

#include <cmath>

#include "judge/arguments.h"
#include "judge/chance.h"
#include "judge/explain.h"
#include "judge/statistical.h"

namespace kbx::judge {
namespace {

// Per element of the result, or one value for all.
struct Broadcast {
  std::vector<double> values;
  double at(size_t k) const { return values.size() == 1 ? values[0] : values[k]; }
};

std::optional<Broadcast> broadcast(const Value* value, std::optional<double> number, int64_t count) {
  if (value && value->kind == ValueKind::tensor && !is_complex(value->tensor.dtype)) {
    View view(value->tensor);
    if (view.count() == count || view.count() == 1) return Broadcast{view.all()};
    return std::nullopt;
  }
  return number ? std::optional(Broadcast{{*number}}) : std::nullopt;
}

void check_support(Judgement& j, const View& got, const std::vector<double>& k, const Broadcast& n,
                   const Broadcast& p) {
  for (size_t i = 0; i < k.size(); i++) {
    bool inside = k[i] == std::floor(k[i]) && k[i] >= 0 && k[i] <= n.at(i);
    bool exact = (p.at(i) > 0 || k[i] == 0) && (p.at(i) < 1 || k[i] == n.at(i));
    if (inside && exact) continue;
    j.index = index_of(int64_t(i), got.shape());
    fail_check(j, "support", k[i], n.at(i), 0,
               fmt::format("element {} is {}, not a count of {:g} trials with probability {:g}", i, number_text(k[i]),
                           n.at(i), p.at(i)));
    return;
  }
}

struct Sums {
  double first = 0, first_variance = 0, second = 0, second_variance = 0, product = 0, product_variance = 0, largest = 0;
};

}  // namespace

Judgement judge_binomial(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  View got(leaf_tensor(*e.got));
  if (is_complex(got.dtype())) return not_judged(std::move(j), "complex binomial draws");
  auto role = oracle.roles.find("count");
  std::string count_name = role == oracle.roles.end() ? "" : role->second;
  auto n = e.survivors ? broadcast(e.survivors, std::nullopt, got.count())
                       : broadcast(argument(e.task, e.args, count_name), number_argument(e.task, e.args, count_name),
                                   got.count());
  auto p = broadcast(argument(e.task, e.args, oracle.p), number_argument(e.task, e.args, oracle.p), got.count());
  if (!n || !p)
    return not_judged(std::move(j), "the number of trials or their probability is not known for every element");
  std::vector<double> k = got.all(), again;
  j.metrics.count = got.count();
  check_support(j, got, k, *n, *p);
  if (j.verdict != Verdict::correct || k.empty()) return j;
  if (e.got_again && !has_generator(e) && !check_structure(e.path, *e.got_again, *e.eager))
    again = View(leaf_tensor(*e.got_again)).all();
  Sums s;
  for (size_t i = 0; i < k.size(); i++) {
    double trials = n->at(i), q = p->at(i), mean = trials * q, v = mean * (1 - q);
    s.first += k[i] - mean;
    s.first_variance += v;
    s.second += (k[i] - mean) * (k[i] - mean) - v;
    s.second_variance += v * (1 + 3 * (trials - 2) * q * (1 - q)) - v * v;
    if (!again.empty()) s.product += (k[i] - mean) * (again[i] - mean), s.product_variance += v * v;
    s.largest = std::max(s.largest, trials);
  }
  auto check = [&](const char* metric, double sum, double bound, const char* what) {
    if (!(std::abs(sum) <= bound))
      fail_check(j, metric, sum, 0, bound,
                 fmt::format("{} is off by {:.4g} in sum over {} draws, at most {:.3g} is chance", what, sum, k.size(),
                             bound));
  };
  check("mean", s.first, sum_bound(s.first_variance, s.largest), "the number of successes");
  check("variance", s.second, sum_bound(s.second_variance, s.largest * s.largest), "the squared deviation");
  if (!again.empty())
    check("two_calls", s.product, sum_bound(s.product_variance, s.largest * s.largest),
          "the product of two calls' deviations");
  return j;
}

}  // namespace kbx::judge
