// estimate: the functions of src/stats on data from outside, for comparison with other programs (against_statsmodels.py).
// Standard input: a JSON array of {"what": NAME, ...}; standard output: the array of answers, null where nothing is said.
#include <cstdio>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>

#include "base/json.h"
#include "stats/bootstrap.h"
#include "stats/deviance.h"
#include "stats/firth.h"
#include "stats/geometric_mean.h"
#include "stats/glm.h"
#include "stats/paired.h"
#include "stats/pass_at_k.h"
#include "stats/proportion.h"
#include "stats/quantile.h"
#include "stats/rank_correlation.h"
#include "stats/special.h"
#include "stats/t_quantile.h"
#include "stats/task_means.h"

namespace kbx::stats {
namespace {

std::vector<double> numbers(const Json& q, const char* key) { return q.at(key).get<std::vector<double>>(); }
double number(const Json& q, const char* key) { return q.at(key).get<double>(); }
int64_t whole(const Json& q, const char* key) { return q.at(key).get<int64_t>(); }
Json json(const Interval& i) { return {i.low, i.high}; }
Json json(const std::optional<Interval>& i) { return i ? json(*i) : Json(); }
Json json(const Estimate& e) { return {{"value", e.value}, {"interval", json(e.interval)}}; }

BinomialData binomial(const Json& q) {
  return {q.at("columns").get<size_t>(), numbers(q, "design"), numbers(q, "successes"), numbers(q, "trials")};
}

Json coefficients(const std::vector<Coefficient>& all) {
  Json values = Json::array(), errors = Json::array();
  for (const Coefficient& c : all) {
    values.push_back(c.aliased ? Json() : Json(c.value));
    errors.push_back(c.aliased ? Json() : Json(c.standard_error));
  }
  return {{"values", values}, {"errors", errors}};
}

Json glm(const Json& q) {
  GlmFit fit = fit_binomial(binomial(q));
  const char* separation[] = {"none", "quasi", "complete"};
  return {{"coefficients", coefficients(fit.coefficients)}, {"deviance", fit.deviance}, {"null_deviance", fit.null_deviance},
          {"parameters", fit.parameters}, {"separation", separation[int(fit.separation)]}, {"converged", fit.converged}};
}

Json firth(const Json& q) {
  FirthFit fit = fit_firth(binomial(q));
  Json out = {{"coefficients", coefficients(fit.coefficients)}, {"penalised", fit.penalised_likelihood}, {"converged", fit.converged}};
  if (q.contains("interval_of")) out["interval"] = json(firth_interval(binomial(q), q.at("interval_of").get<size_t>()));
  return out;
}

Json deviance(const Json& q) {
  std::vector<Trial> trials;
  for (const Json& t : q.at("trials")) trials.push_back({t[0].get<int>(), t[1].get<int>(), t[2].get<int>(), t[3].get<int>() != 0});
  auto table = analyse_deviance(count_trials(trials));
  if (!table) return {};
  Json models = Json::object(), steps = Json::array();
  for (const ModelFit& m : table->models)
    models[std::string(to_text(m.model))] = {{"parameters", m.parameters}, {"deviance", m.deviance}, {"share", m.share}, {"adjusted", m.adjusted}};
  for (const DevianceStep& s : table->steps) steps.push_back({{"degrees", s.degrees}, {"drop", s.drop}, {"p", s.p}});
  return {{"null_deviance", table->null_deviance}, {"models", models}, {"steps", steps}};
}

Json wilcoxon(const Json& q) {
  auto r = wilcoxon_signed_rank(numbers(q, "differences"));
  return r ? Json{{"up", r->rank_sum_up}, {"down", r->rank_sum_down}, {"p", r->p}, {"exact", r->exact}} : Json();
}

Json correlation(const Json& q) {
  auto r = rank_correlation(numbers(q, "a"), numbers(q, "b"));
  return r ? Json{{"spearman", json(r->spearman)}, {"kendall", json(r->kendall)}} : Json();
}

// The replicates' clusters are drawn elsewhere: the two intervals from the same replicates and jackknife values.
Json bootstrap(const Json& q) {
  auto replicates = numbers(q, "replicates");
  Interval bca = bca_interval(number(q, "value"), replicates, numbers(q, "jackknife"), 0.95);
  return {{"percentile", json(percentile_interval(replicates, 0.95))}, {"bca", json(bca)}};
}

Json geometric(const Json& q) {
  auto e = geometric_mean_estimate(numbers(q, "values"));
  return e ? json(*e) : Json();
}

Json one_quantile(const Json& q) {
  auto values = numbers(q, "values");
  return {{"value", *quantile(values, number(q, "p"))}, {"interval", json(quantile_interval(values, number(q, "p")))}};
}

const std::map<std::string, std::function<Json(const Json&)>> kAnswers = {
    {"glm", glm}, {"firth", firth}, {"deviance", deviance}, {"wilcoxon", wilcoxon}, {"correlation", correlation},
    {"bootstrap", bootstrap}, {"geometric", geometric}, {"quantile", one_quantile},
    {"wilson", [](const Json& q) { return json(wilson_interval(whole(q, "s"), whole(q, "n"))); }},
    {"clopper_pearson", [](const Json& q) { return json(clopper_pearson_interval(whole(q, "s"), whole(q, "n"))); }},
    {"mcnemar", [](const Json& q) { return Json(mcnemar_exact(whole(q, "gained"), whole(q, "lost"))); }},
    {"pass_at_k", [](const Json& q) { auto p = pass_at_k(whole(q, "n"), whole(q, "c"), whole(q, "k")); return p ? Json(*p) : Json(); }},
    {"chi_square_tail", [](const Json& q) { return Json(chi_square_tail(number(q, "x"), number(q, "degrees"))); }},
    {"beta", [](const Json& q) { return Json(beta_regularised(number(q, "a"), number(q, "b"), number(q, "x"))); }},
    {"beta_quantile", [](const Json& q) { return Json(beta_quantile(number(q, "a"), number(q, "b"), number(q, "p"))); }},
    {"normal_quantile", [](const Json& q) { return Json(normal_quantile(number(q, "p"))); }},
    {"t_quantile", [](const Json& q) { return Json(t_quantile(number(q, "coverage"), int(whole(q, "degrees")))); }},
};

}  // namespace
}  // namespace kbx::stats

int main() {
  std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  auto questions = kbx::parse_json(text);
  if (!questions) {
    std::fprintf(stderr, "estimate: %s\n", questions.error().text().c_str());
    return 2;
  }
  kbx::Json answers = kbx::Json::array();
  for (const kbx::Json& q : *questions) answers.push_back(kbx::stats::kAnswers.at(q.at("what").get<std::string>())(q));
  std::printf("%s\n", kbx::dump_json(answers).c_str());
}
