// Profile `paper`: what the published suite would have said. Each leaf against eager with torch.testing.assert_close's
// rule
// (|got - eager| <= tol + tol |eager|, tolerance.h, NaN equal to NaN, Inf by sign); quantized tasks by the published
// bounds on cosine, L1-relative and absolute RMSE. It knows no noise, no truth and no domain, on purpose.
#include <fmt/core.h>

#include "judge/explain.h"
#include "judge/oracles.h"

namespace kbx::judge {
namespace {

Judgement judge_bounds(Judgement j, const Pair& pair, const Oracle& o) {
  j.metrics = compare(pair);
  const Metrics& m = j.metrics;
  auto failed = [&](const char* metric, double value, double bound, bool bad) {
    if (!bad || j.verdict != Verdict::correct) return;
    j.verdict = Verdict::wrong_value;
    j.metric = metric;
    j.got = value;
    j.bound = bound;
    j.explanation = fmt::format("{}: {} is {:.4g}, the published bound is {:.4g}", j.path, metric, value, bound);
  };
  failed("nan", double(m.nan_got), 0, m.nan_position_mismatches > 0 || m.inf_position_mismatches > 0);
  failed("cosine", m.cosine, o.paper_cosine, o.paper_cosine > 0 && m.cosine < o.paper_cosine);
  failed("l1_rel", m.l1_rel, o.paper_l1, o.paper_l1 > 0 && m.l1_rel > o.paper_l1);
  failed("rmse", m.rmse, o.paper_rmse, o.paper_rmse > 0 && m.rmse > o.paper_rmse);
  j.metrics.mismatches = 0;  // elements have no tolerance of their own here
  j.metrics.first_mismatch = j.metrics.worst = -1;
  return j;
}

Judgement judge_leaf(const Evidence& e, const Oracle& oracle, const std::string& path, const Value& got,
                     const Value& eager) {
  Judgement j = begin(e, oracle, Profile::paper);
  j.path = path;
  if (!is_numeric_leaf(got)) return j;  // None, strings: the structure check compared them
  View g(leaf_tensor(got)), w(leaf_tensor(eager));
  double tolerance = paper_tolerance(g.dtype());
  Pair pair{g, w, {}, nullptr, nullptr};
  bool bounds =
      oracle.kind == OracleKind::quantized && (oracle.paper_cosine > 0 || oracle.paper_l1 > 0 || oracle.paper_rmse > 0);
  if (bounds) return judge_bounds(std::move(j), pair, oracle);
  pair.tolerance.atol = pair.tolerance.rtol = tolerance;
  j.metrics = compare(pair);
  conclude(j, pair);
  return j;
}

Judgement judge_tree(const Evidence& e, const Oracle& oracle, const std::string& path, const Value& got,
                     const Value& eager) {
  if (eager.items.empty()) return judge_leaf(e, oracle, path, got, eager);
  Judgement last;
  for (size_t k = 0; k < eager.items.size(); k++) {
    std::string inner = eager.kind == ValueKind::dict ? path + "." + eager.keys[k] : fmt::format("{}[{}]", path, k);
    last = judge_tree(e, oracle, inner, got.items[k], eager.items[k]);
    if (last.verdict != Verdict::correct) return last;
  }
  last.path = path;
  return last;
}

}  // namespace

Judgement judge_paper(const Evidence& e, const Oracle& oracle) {
  return judge_tree(e, oracle, e.path, *e.got, *e.eager);
}

}  // namespace kbx::judge
