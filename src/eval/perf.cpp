#include "eval/perf.h"

#include "eval/call_cost.h"
#include "eval/truth.h"
#include "suite/inputs.h"

namespace kbx::eval {
namespace {

// Both sides round and sum differently: some units of the output's precision, of the element and of the whole.
double looseness(Dtype dtype, bool tf32) {
  switch (dtype) {
    case Dtype::f16: return 4e-3;
    case Dtype::bf16: return 2e-2;
    case Dtype::f8e4m3:
    case Dtype::f8e5m2: return 0.15;
    case Dtype::f64:
    case Dtype::c128: return 1e-10;
    default: return tf32 ? 3e-3 : 1e-4;
  }
}

}  // namespace

Result<std::vector<PerfCall>> perf_calls(const Task& task) {
  std::vector<PerfCall> out;
  for (const Case& c : task.perf) {
    PerfCall p;
    p.which = &c;
    KBX_TRY_ASSIGN(p.call, suite::outline_call(task, c));
    p.names = positional_names(task.entry, p.call);
    p.drawn = suite::drawn_tensors(task, c);
    if (auto cost = call_cost(task, c, p.call)) p.cost = std::move(*cost);
    out.push_back(std::move(p));
  }
  return out;
}

Comparison comparison(const Task& task, const std::string& output, Dtype dtype) {
  const Oracle& oracle = oracle_for(task, output);
  Comparison c;
  switch (oracle.kind) {
    case OracleKind::factorization: c.not_compared = "a factorization has many right answers"; return c;
    case OracleKind::statistical: c.not_compared = "the output is random"; return c;
    case OracleKind::set:  // perf inputs give it one size, whatever is drawn (docs/task_format.md)
      if (!oracle.ordered) c.not_compared = "the output is a set";
      break;
    case OracleKind::quantized: c.rms_share = 2 * oracle.rmse_max; return c;
    case OracleKind::exact: c.exact = oracle.within == 0; break;
    case OracleKind::close:
      if (oracle.random) c.not_compared = "the output hangs on random draws";
      break;
  }
  if (!c.not_compared.empty()) return c;
  if (!is_floating(dtype) && !is_complex(dtype)) c.exact = oracle.within == 0;
  if (!c.exact) c.rtol = c.rtol_rms = looseness(dtype, task.tf32);
  return c;
}

}  // namespace kbx::eval
