// Binomial draws: k_i ~ B(n_i, p_i), independent. With m = n p, v = n p q:
//   sum of k_i - m_i:          variance v_i, deviation <= n_i
//   sum of (k_i - m_i)^2 - v_i: variance mu4 - v^2 with mu4 = v (1 + 3 (n - 2) p q), deviation <= n_i^2
// each a sum_bound() of chance.h. Of independent counts, at a distance or in two calls,
//   sum of (k - m)(k' - m'):   variance v v', deviation <= n n'; a product_bound() with s^2 = n bernoulli_proxy(p)
// both hold, so the smaller one does.
#include <fmt/core.h>

#include <algorithm>
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

// Broadcast to `shape` as torch does it; nothing where that does not fit or there is no number.
std::optional<Broadcast> broadcast(const Value* value, std::optional<double> number,
                                   const std::vector<int64_t>& shape) {
  if (!value || !is_numeric_leaf(*value)) return number ? std::optional(Broadcast{{*number}}) : std::nullopt;
  View view(leaf_tensor(*value));
  if (is_complex(view.dtype())) return std::nullopt;
  if (view.count() == 1 || view.shape() == shape) return Broadcast{view.all()};
  if (view.shape().size() > shape.size()) return std::nullopt;
  std::vector<int64_t> stride(shape.size(), 0);
  int64_t count = 1, step = 1;
  for (size_t k = shape.size(), own = view.shape().size(); k-- > 0;) {
    int64_t size = own > 0 ? view.shape()[--own] : 1;
    if (size != 1 && size != shape[k]) return std::nullopt;
    if (size != 1) stride[k] = step;
    step *= size, count *= shape[k];
  }
  Broadcast out{std::vector<double>(size_t(count))};
  for (int64_t flat = 0; flat < count; flat++) {
    int64_t from = 0, rest = flat;
    for (size_t k = shape.size(); k-- > 0; rest /= shape[k]) from += rest % shape[k] * stride[k];
    out.values[size_t(flat)] = view.at(from);
  }
  return out;
}

struct Model {
  Broadcast trials, probability;
  double mean(size_t i) const { return trials.at(i) * probability.at(i); }
  double variance(size_t i) const { return mean(i) * (1 - probability.at(i)); }
};

void check_support(Judgement& j, const View& got, const std::vector<double>& k, const Model& model) {
  for (size_t i = 0; i < k.size(); i++) {
    double n = model.trials.at(i), p = model.probability.at(i);
    bool inside = k[i] == std::floor(k[i]) && k[i] >= 0 && k[i] <= n;
    bool exact = (p > 0 || k[i] == 0) && (p < 1 || k[i] == n);
    if (inside && exact) continue;
    j.index = index_of(int64_t(i), got.shape());
    fail_check(j, "support", k[i], n, 0,
               fmt::format("element {} is {}, not a count of {:g} trials with probability {:g}", i, number_text(k[i]),
                           n, p));
    return;
  }
}

void check(Judgement& j, const char* metric, double sum, double bound, const std::string& what, int64_t draws) {
  if (!(std::abs(sum) <= bound))
    fail_check(j, metric, sum, 0, bound,
               fmt::format("{} is off by {:.4g} in sum over {} draws, at most {:.3g} is chance", what, sum, draws,
                           bound));
}

void check_moments(Judgement& j, const std::vector<double>& k, const Model& model) {
  double first = 0, first_variance = 0, second = 0, second_variance = 0, largest = 0;
  for (size_t i = 0; i < k.size(); i++) {
    double q = model.probability.at(i), d = k[i] - model.mean(i), v = model.variance(i);
    first += d;
    first_variance += v;
    second += d * d - v;
    second_variance += v * (1 + 3 * (model.trials.at(i) - 2) * q * (1 - q)) - v * v;
    largest = std::max(largest, model.trials.at(i));
  }
  auto draws = int64_t(k.size());
  check(j, "mean", first, sum_bound(first_variance, largest), "the number of successes", draws);
  check(j, "variance", second, sum_bound(second_variance, largest * largest), "the squared deviation", draws);
}

// Pairs of counts that should be independent: element i of one, element o of the same or another call.
class Products {
 public:
  explicit Products(const Model& model) : model_(model) {}
  void add(double k, size_t i, double other, size_t o) {
    sum_ += (k - model_.mean(i)) * (other - model_.mean(o));
    variance_ += model_.variance(i) * model_.variance(o);
    deviation_ = std::max(deviation_, model_.trials.at(i) * model_.trials.at(o));
    double square = proxy(i) * proxy(o);
    squares_ += square;
    largest_ = std::max(largest_, square);
    pairs_++;
  }
  double sum() const { return sum_; }
  double bound() const {
    return std::min(sum_bound(variance_, deviation_), product_bound(squares_, std::sqrt(largest_)));
  }
  int64_t pairs() const { return pairs_; }

 private:
  double proxy(size_t i) const { return model_.trials.at(i) * bernoulli_proxy(model_.probability.at(i)); }

  const Model& model_;
  double sum_ = 0, variance_ = 0, deviation_ = 0, squares_ = 0, largest_ = 0;
  int64_t pairs_ = 0;
};

void check_distances(Judgement& j, const std::vector<double>& k, const Model& model, int64_t row) {
  for (int64_t d : test_distances(int64_t(k.size()), row)) {
    Products p(model);
    for (size_t i = 0; i + size_t(d) < k.size(); i++)
      if (starts_pair(int64_t(i), d)) p.add(k[i], i, k[i + size_t(d)], i + size_t(d));
    check(j, "correlation", p.sum(), p.bound(),
          fmt::format("the product of the deviations of counts {} apart (random numbers repeat?)", d), p.pairs());
  }
}

}  // namespace

Judgement judge_binomial(const Evidence& e, const Oracle& oracle) {
  Judgement j = begin(e, oracle, Profile::kbx);
  View got(leaf_tensor(*e.got));
  if (is_complex(got.dtype())) return not_judged(std::move(j), "complex binomial draws");
  auto role = oracle.roles.find("count");
  std::string count_name = role == oracle.roles.end() ? "" : role->second;
  auto known = [&](const Value* helper, const std::string& name) {
    if (helper) return broadcast(helper, std::nullopt, got.shape());
    return broadcast(argument(e.task, e.args, name), number_argument(e.task, e.args, name), got.shape());
  };
  auto trials = known(e.survivors, count_name), probability = known(e.probability, oracle.p);
  if (!trials || !probability)
    return not_judged(std::move(j), "the number of trials or their probability is not known for every element");
  Model model{std::move(*trials), std::move(*probability)};
  std::vector<double> k = got.all();
  j.metrics.count = got.count();
  check_support(j, got, k, model);
  if (j.verdict != Verdict::correct || k.empty()) return j;
  check_moments(j, k, model);
  check_distances(j, k, model, row_length(got));
  if (e.got_again && !has_generator(e) && !check_structure(e.path, *e.got_again, *e.eager)) {
    std::vector<double> again = View(leaf_tensor(*e.got_again)).all();
    Products p(model);
    for (size_t i = 0; i < k.size(); i++) p.add(k[i], i, again[i], i);
    check(j, "two_calls", p.sum(), p.bound(), "the product of two calls' deviations", p.pairs());
  }
  return j;
}

}  // namespace kbx::judge
